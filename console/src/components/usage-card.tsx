// What one token, account or channel used in the last 30 days.
import { Group, Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { plural, t } from '../i18n/t.ts';
import type { UsageKey } from '#contract/usage.ts';
import { useNames } from '../lib/names.ts';
import { formatCount, formatMoneyShort } from '../lib/format-money.ts';
import { useCurrency } from '../lib/session.ts';
import { addUp, groupRows } from '../lib/usage-totals.ts';
import { usageQuery, type UsageQuery } from '../lib/usage.ts';
import { useMinute } from '../lib/use-minute.ts';
import { Card } from './card.tsx';
import { EmptyState, ErrorState, LoadingRows } from './states.tsx';

const SPAN = 30 * 86_400;
const MOST = 6;
/** Requests that ended before there was one. */
const missing: Partial<Record<UsageKey, string>> = { model: t('no known model'), channel: t('no channel') };

export function UsageCard({ filter, by }: { filter: UsageQuery['filter']; by: UsageKey }) {
  const now = useMinute();
  const currency = useCurrency();
  const query: UsageQuery = {
    from: now - SPAN,
    to: now + 3600,
    bucket: 'day',
    by,
    ...(filter !== undefined && { filter }),
  };
  const { data, error, refetch } = useQuery(usageQuery(query));
  const names = useNames();
  const nameOf = (key: string) => names.get(key) ?? (key === '' ? (missing[by] ?? t('none')) : key);
  if (error !== null) return <ErrorState error={error} retry={() => void refetch()} />;
  if (data === undefined) {
    return (
      <Card title={t('Last 30 days')}>
        <LoadingRows rows={4} />
      </Card>
    );
  }
  const total = addUp(data);
  const groups = groupRows(data, by);
  // The measure of the order; where nothing was charged, requests.
  const sizeOf = ({ total: one }: (typeof groups)[number]) => (total.amount > 0 ? one.amount : one.requests);
  const most = Math.max(...groups.map(sizeOf), Number.MIN_VALUE);
  return (
    <Card title={t('Last 30 days')}>
      {total.requests === 0 ? (
        <EmptyState icon="chart" title={t('Not used yet')} />
      ) : (
        <Stack>
          <SimpleGrid cols={{ base: 2, xs: 4, md: 2 }}>
            <Figure label={t('Requests //count')} value={formatCount(total.requests)} />
            <Figure label={t('Failed //count')} value={formatCount(total.errors)} />
            <Figure label={t('Charged')} value={`${formatMoneyShort(total.amount)} ${currency}`} />
            <Figure label={t('Tokens //counted')} value={formatCount(total.inputTokens + total.outputTokens)} />
          </SimpleGrid>
          {groups.slice(0, MOST).map((group) => (
            <div key={group.key}>
              <Group justify="space-between" gap="xs" wrap="nowrap" mb={2}>
                <Text size="sm" className="cut">
                  {nameOf(group.key)}
                </Text>
                <Text size="sm" className="numeric">
                  {countOf(group.total.requests)}, {formatMoneyShort(group.total.amount)}
                </Text>
              </Group>
              <Progress
                size="sm"
                value={(sizeOf(group) / most) * 100}
                aria-label={`${nameOf(group.key)}: ${countOf(group.total.requests)}, ${formatMoneyShort(group.total.amount)}`}
              />
            </div>
          ))}
        </Stack>
      )}
    </Card>
  );
}

function countOf(requests: number): string {
  return plural(requests, '{count} request', '{count} requests');
}

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text fw={650} size="lg" className="numeric">
        {value}
      </Text>
    </div>
  );
}
