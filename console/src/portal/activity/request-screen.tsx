// One request: outcome, reason, what was counted and what it cost.
import { Grid, Group, Stack, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type PortalRequest, portalRequest } from '#contract/portal.ts';
import { HttpBadge, StateBadge } from '../../components/badges.tsx';
import { Card } from '../../components/card.tsx';
import { CodeBlock, CopyIcon } from '../../components/code-block.tsx';
import { Facts } from '../../components/facts.tsx';
import { Money } from '../../components/money.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { Page } from '../../components/page.tsx';
import { Notice, Shown } from '../../components/states.tsx';
import { When } from '../../components/when.tsx';
import { callApi } from '../../lib/api-client.ts';
import { formatMilliseconds } from '../../lib/format-time.ts';
import { useCurrency, useTokenNames } from '../account.ts';
import { reasons } from './reasons.ts';

const requestQuery = (id: string) =>
  queryOptions({
    queryKey: ['/requests', 'one', id],
    queryFn: ({ signal }) => callApi('GET', `/requests/${encodeURIComponent(id)}`, { schema: portalRequest, signal }),
  });

export function RequestScreen() {
  const { id = '' } = useParams({ strict: false });
  return <Shown query={useQuery(requestQuery(id))}>{(request) => <RequestPage request={request} />}</Shown>;
}

function RequestPage({ request }: { request: PortalRequest }) {
  const tokens = useTokenNames();
  const currency = useCurrency();
  return (
    <Page
      title={request.model ?? 'Request'}
      above={<PageLink to="/requests">Requests</PageLink>}
      description={
        <Group gap={8} component="span">
          <span className="mono long">{request.id}</span>
          <CopyIcon text={request.id} label="Copy the id" />
        </Group>
      }
    >
      <Grid>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Card title="Outcome">
            <Stack>
              {request.error_code !== null && (
                <Notice color={request.status < 500 ? 'yellow' : 'red'}>
                  {reasons[request.error_code] ?? 'The request was refused.'}
                </Notice>
              )}
              <Facts
                facts={[
                  [
                    'Status',
                    <Group key="status" gap={6}>
                      <HttpBadge status={request.status} />
                      {request.mode === 'test' && <StateBadge state="test" />}
                    </Group>,
                  ],
                  ['Reason', request.error_code === null ? 'Answered' : <Mono key="r" text={request.error_code} />],
                  [
                    'Charge',
                    <span key="charge">
                      <Money amount={request.charge} /> {currency}
                    </span>,
                  ],
                  ['Endpoint', <Mono key="endpoint" text={request.endpoint} />],
                  [
                    'Token',
                    <PageLink key="token" to="/requests" search={{ token_id: request.token_id }}>
                      {tokens.get(request.token_id) ?? request.token_id}
                    </PageLink>,
                  ],
                  ['When', <When key="when" at={request.created_at} exact />],
                  ['First byte', request.first_byte_ms === null ? '—' : formatMilliseconds(request.first_byte_ms)],
                  ['Whole answer', formatMilliseconds(request.total_ms)],
                ]}
              />
            </Stack>
          </Card>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Card title="Usage" description="What was counted">
            {request.usage === null ? (
              <Text size="sm" c="dimmed">
                Nothing was counted.
              </Text>
            ) : (
              <CodeBlock text={JSON.stringify(request.usage, null, 2)} label="Usage" />
            )}
          </Card>
        </Grid.Col>
      </Grid>
    </Page>
  );
}

function Mono({ text }: { text: string }) {
  return <span className="mono">{text}</span>;
}
