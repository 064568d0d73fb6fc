// One request: outcome, reason, what was counted and what it cost.
import { Grid, Group, Stack, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type PortalRequest, portalRequest } from '#contract/portal.ts';
import { t } from '../../i18n/t.ts';
import { HttpBadge, StateBadge } from '../../components/badges.tsx';
import { Card } from '../../components/card.tsx';
import { CopyIcon } from '../../components/code-block.tsx';
import { Facts } from '../../components/facts.tsx';
import { Money } from '../../components/money.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { Page } from '../../components/page.tsx';
import { Notice, Shown } from '../../components/states.tsx';
import { UsageFacts } from '../../components/usage-facts.tsx';
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
      title={request.model ?? t('Request')}
      above={<PageLink to="/requests">{t('Requests')}</PageLink>}
      description={
        <Group gap={8} component="span">
          <span className="mono long">{request.id}</span>
          <CopyIcon text={request.id} label={t('Copy the id')} />
        </Group>
      }
    >
      <Grid>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Card title={t('Outcome')}>
            <Stack>
              {request.error_code !== null && (
                <Notice color={request.status < 500 ? 'yellow' : 'red'}>
                  {reasons[request.error_code] ?? t('The request was refused.')}
                </Notice>
              )}
              <Facts
                facts={[
                  [
                    t('Status'),
                    <Group key="status" gap={6}>
                      <HttpBadge status={request.status} />
                      {request.mode === 'test' && <StateBadge state="test" />}
                    </Group>,
                  ],
                  [
                    t('Reason'),
                    request.error_code === null ? t('Answered') : <Mono key="r" text={request.error_code} />,
                  ],
                  [
                    t('Charge'),
                    <span key="charge">
                      <Money amount={request.charge} /> {currency}
                    </span>,
                  ],
                  [t('Endpoint'), <Mono key="endpoint" text={request.endpoint} />],
                  [
                    t('Token'),
                    <PageLink key="token" to="/requests" search={{ token_id: request.token_id }}>
                      {tokens.get(request.token_id) ?? request.token_id}
                    </PageLink>,
                  ],
                  [t('When'), <When key="when" at={request.created_at} exact />],
                  [t('First byte'), request.first_byte_ms === null ? '—' : formatMilliseconds(request.first_byte_ms)],
                  [t('Whole answer'), formatMilliseconds(request.total_ms)],
                ]}
              />
            </Stack>
          </Card>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Card title={t('Usage')} description={t('What was counted')}>
            {request.usage === null ? (
              <Text size="sm" c="dimmed">
                {t('Nothing was counted.')}
              </Text>
            ) : (
              <UsageFacts usage={request.usage} />
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
