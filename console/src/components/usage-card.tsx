// What one token, account or channel used in the last 30 days.
import { Group, Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { UsageKey } from '#contract/usage.ts';
import { useChannelNames, useTokenNames } from '../lib/choices.ts';
import { formatCount, formatMoneyShort } from '../lib/format-money.ts';
import { addUp, groupRows } from '../lib/usage-totals.ts';
import { usageQuery, type UsageQuery } from '../lib/usage.ts';
import { useMinute } from '../lib/use-minute.ts';
import { Card } from './card.tsx';
import { EmptyState, ErrorState, LoadingRows } from './states.tsx';

const SPAN = 30 * 86_400;
const MOST = 6;
/** Requests that ended before there was one. */
const missing: Partial<Record<UsageKey, string>> = { model: 'no known model', channel: 'no channel' };

export function UsageCard({ filter, by }: { filter: UsageQuery['filter']; by: UsageKey }) {
  const now = useMinute();
  const query: UsageQuery = {
    from: now - SPAN,
    to: now + 3600,
    bucket: 'day',
    by,
    ...(filter !== undefined && { filter }),
  };
  const { data, error, refetch } = useQuery(usageQuery(query));
  const tokens = useTokenNames();
  const channels = useChannelNames();
  const nameOf = (key: string) => tokens.get(key) ?? channels.get(key) ?? (key === '' ? (missing[by] ?? 'none') : key);
  if (error !== null) return <ErrorState error={error} retry={() => void refetch()} />;
  if (data === undefined) {
    return (
      <Card title="Last 30 days">
        <LoadingRows rows={4} />
      </Card>
    );
  }
  const total = addUp(data);
  const groups = groupRows(data, by);
  const most = Math.max(...groups.map((group) => group.total.requests), 1);
  return (
    <Card title="Last 30 days">
      {total.requests === 0 ? (
        <EmptyState icon="chart" title="Not used yet" />
      ) : (
        <Stack>
          <SimpleGrid cols={{ base: 2, xs: 4, md: 2 }}>
            <Figure label="Requests" value={formatCount(total.requests)} />
            <Figure label="Failed" value={formatCount(total.errors)} />
            <Figure label="Charged" value={formatMoneyShort(total.amount)} />
            <Figure label="Tokens" value={formatCount(total.inputTokens + total.outputTokens)} />
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
                value={(group.total.requests / most) * 100}
                aria-label={`${nameOf(group.key)}: ${countOf(group.total.requests)}`}
              />
            </div>
          ))}
        </Stack>
      )}
    </Card>
  );
}

function countOf(requests: number): string {
  return `${formatCount(requests)} request${requests === 1 ? '' : 's'}`;
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
