// One request: the way it took, how long each part lasted, what was counted, and how the charge came about.
import { Grid, Group, Stack, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type LoggedRequest, type RequestDetail, requestDetail } from '#contract/requests.ts';
import { HttpBadge, StateBadge } from '../../components/badges.tsx';
import { Card } from '../../components/card.tsx';
import { CodeBlock, CopyIcon } from '../../components/code-block.tsx';
import { Facts } from '../../components/facts.tsx';
import { Money } from '../../components/money.tsx';
import { PageButton, PageLink } from '../../components/page-link.tsx';
import { Page } from '../../components/page.tsx';
import { Shown } from '../../components/states.tsx';
import { When } from '../../components/when.tsx';
import { callApi } from '../../lib/api-client.ts';
import { useAccountNames, useTokenNames } from '../../lib/choices.ts';
import { formatMilliseconds } from '../../lib/format-time.ts';
import { useSession } from '../../lib/session.ts';
import { Attempts } from './attempts.tsx';
import { Bodies } from './bodies.tsx';
import { errorMeanings } from './error-meanings.ts';

const route = getRouteApi('/requests/$id');

const requestQuery = (id: string) =>
  queryOptions({
    queryKey: ['/requests', 'one', id],
    queryFn: ({ signal }) => callApi('GET', `/requests/${encodeURIComponent(id)}`, { schema: requestDetail, signal }),
  });

export function RequestScreen() {
  const { id } = route.useParams();
  return <Shown query={useQuery(requestQuery(id))}>{(request) => <RequestPage request={request} />}</Shown>;
}

function RequestPage({ request }: { request: RequestDetail }) {
  const isAdmin = useSession()?.role === 'admin';
  return (
    <Page
      title={request.model ?? 'Request'}
      above={<PageLink to="/requests">Requests</PageLink>}
      description={
        <Group gap={8} component="span">
          <span className="mono">{request.id}</span>
          <CopyIcon text={request.id} label="Copy the id" />
        </Group>
      }
      actions={
        <>
          {request.task_id !== null && (
            <PageButton to="/tasks/$id" params={{ id: request.task_id }} variant="default">
              Its video task
            </PageButton>
          )}
          <PageButton to="/ledger" search={{ request_id: request.id }} variant="default">
            Its ledger entries
          </PageButton>
        </>
      }
    >
      <Grid>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Summary request={request} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Stack>
            <Cost request={request} />
          </Stack>
        </Grid.Col>
      </Grid>
      <Attempts request={request} />
      {request.has_bodies && isAdmin && <Bodies requestId={request.id} />}
    </Page>
  );
}

function Summary({ request }: { request: LoggedRequest }) {
  const accounts = useAccountNames();
  const tokens = useTokenNames();
  return (
    <Card title="What was asked">
      <Facts
        facts={[
          [
            'Outcome',
            <Group gap={6} key="outcome">
              <HttpBadge status={request.status} />
              {request.error_code !== null && (
                <Text size="sm" className="mono long">
                  {request.error_code}
                </Text>
              )}
              {request.mode === 'test' && <StateBadge state="test" />}
            </Group>,
          ],
          ...whyOf(request),
          [
            'Endpoint',
            <span key="endpoint" className="mono">
              {request.endpoint}
            </span>,
          ],
          ['When', <When key="when" at={request.created_at} exact />],
          ['First byte', request.first_byte_ms === null ? '—' : formatMilliseconds(request.first_byte_ms)],
          ['Last byte', formatMilliseconds(request.total_ms)],
          [
            'Account',
            request.account_id === null ? (
              '—'
            ) : (
              <PageLink key="account" to="/accounts/$id" params={{ id: request.account_id }}>
                {accounts.get(request.account_id) ?? request.account_id}
              </PageLink>
            ),
          ],
          [
            'Token',
            request.token_id === null ? (
              'No known token'
            ) : (
              <PageLink key="token" to="/tokens/$id" params={{ id: request.token_id }}>
                {tokens.get(request.token_id) ?? request.token_id}
              </PageLink>
            ),
          ],
          ['Group', request.group || '—'],
        ]}
      />
    </Card>
  );
}

function whyOf({ error_code, reason }: LoggedRequest): [string, string][] {
  if (reason !== null) return [['Why', reason]];
  const meaning = error_code === null ? undefined : errorMeanings[error_code];
  return meaning === undefined ? [] : [['Why', meaning]];
}

const sources = {
  upstream: 'as the upstream reported it',
  counted: 'counted by the gateway while relaying',
  estimated: 'estimated, because nobody counted',
  bounded: 'cut to what can be true: the upstream reported more than this request can have used',
} as const;

function Cost({ request }: { request: LoggedRequest }) {
  const usage = Object.entries(request.usage ?? {}).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).map(([inner, uses]): [string, unknown] => [`uses of ${inner}`, uses])
      : [[name, value] as [string, unknown]],
  );
  return (
    <Card title="What it used and cost">
      <Stack>
        <Text fz={28} fw={650} lh={1.1}>
          <Money amount={request.charge} />
        </Text>
        {request.arithmetic !== null && <CodeBlock text={request.arithmetic} label="Arithmetic of the charge" />}
        {usage.length === 0 ? (
          <Text size="sm" c="dimmed">
            Nothing was used.
          </Text>
        ) : (
          <Facts
            facts={usage.map(([name, value]) => [
              name.replaceAll('_', ' '),
              <span key={name} className="numeric">
                {String(value)}
              </span>,
            ])}
          />
        )}
        {request.usage_source !== null && (
          <Text size="sm" c="dimmed">
            Usage {sources[request.usage_source]}.
          </Text>
        )}
      </Stack>
    </Card>
  );
}
