// Who asked for what, and what it used and cost.
import { Stack, Text } from '@mantine/core';
import type { RequestDetail } from '#contract/requests.ts';
import { Amount } from '../../components/amount.tsx';
import { Card } from '../../components/card.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { Facts } from '../../components/facts.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { Notice } from '../../components/states.tsx';
import { UsageFacts } from '../../components/usage-facts.tsx';
import { When } from '../../components/when.tsx';
import { t } from '../../i18n/t.ts';
import { useAccountNames, useTokenNames } from '../../lib/choices.ts';
import { formatMoney } from '../../lib/format-money.ts';
import { formatMilliseconds, formatTime } from '../../lib/format-time.ts';

export function Summary({ request }: { request: RequestDetail }) {
  const accounts = useAccountNames();
  const tokens = useTokenNames();
  return (
    <Card title={t('What was asked')}>
      <Facts
        facts={[
          [
            t('Endpoint'),
            <span key="endpoint" className="mono">
              {request.endpoint}
            </span>,
          ],
          [t('When'), <When key="when" at={request.created_at} exact />],
          [t('First byte'), request.first_byte_ms === null ? '—' : formatMilliseconds(request.first_byte_ms)],
          [t('Last byte'), formatMilliseconds(request.total_ms)],
          [
            t('Account'),
            request.account_id === null ? (
              '—'
            ) : (
              <PageLink key="account" to="/accounts/$id" params={{ id: request.account_id }}>
                {accounts.get(request.account_id) ?? request.account_id}
              </PageLink>
            ),
          ],
          [
            t('Token'),
            request.token_id === null ? (
              t('No known token')
            ) : (
              <PageLink key="token" to="/tokens/$id" params={{ id: request.token_id }}>
                {tokens.get(request.token_id) ?? request.token_id}
              </PageLink>
            ),
          ],
          [t('Group'), request.group || '—'],
        ]}
      />
    </Card>
  );
}

const sources = {
  upstream: t('as the upstream reported it'),
  counted: t('counted by the gateway while relaying'),
  estimated: t('estimated, because nobody counted'),
  bounded: t('cut to what can be true: the upstream reported more than this request can have used'),
} as const;

export function Cost({ request }: { request: RequestDetail }) {
  const { refund, usage } = request;
  return (
    <Card title={t('What it used and cost')}>
      <Stack>
        <Text fz={28} fw={650} lh={1.1} component="div">
          <Amount amount={request.charge} currency={request.currency} />
        </Text>
        {refund !== null && (
          <Notice color="blue">
            {t('{amount} {currency} were refunded on {time} by {author}: {reason}', {
              amount: formatMoney(refund.amount),
              currency: request.currency,
              time: formatTime(refund.created_at),
              author: refund.author ?? '—',
              reason: refund.reason ?? '—',
            })}
          </Notice>
        )}
        {request.arithmetic !== null && <CodeBlock text={request.arithmetic} label={t('Arithmetic of the charge')} />}
        {usage === null ? (
          <Text size="sm" c="dimmed">
            {t('Nothing was used.')}
          </Text>
        ) : (
          <UsageFacts usage={usage} />
        )}
        {request.usage_source !== null && (
          <Text size="sm" c="dimmed">
            {t('Usage {source}.', { source: sources[request.usage_source] })}
          </Text>
        )}
      </Stack>
    </Card>
  );
}
