// The figures one looks at first.
import { Paper, SimpleGrid, Text } from '@mantine/core';
import { plural, t } from '../../i18n/t.ts';
import { formatCount, formatMoneyShort } from '../../lib/format-money.ts';
import { formatMilliseconds } from '../../lib/format-time.ts';
import { useCurrency } from '../../lib/session.ts';
import type { Percentiles, UsageTimes } from '#contract/usage-times.ts';
import type { Total } from '../../lib/usage-totals.ts';

interface TilesProps {
  total: Total | undefined;
  /** Of the last day. */
  times: UsageTimes | undefined;
  /** The figures are of the last day too. */
  isOfDay: boolean;
}

export function Tiles({ total, times, isOfDay }: TilesProps) {
  const currency = useCurrency();
  const failed = total === undefined || total.requests === 0 ? 0 : (total.errors / total.requests) * 100;
  const time = (value: number | null | undefined) => (typeof value === 'number' ? formatMilliseconds(value) : '—');
  const tiles: [label: string, value: string, note: string][] = [
    [t('Charged'), formatMoneyShort(total?.amount ?? 0), `${currency}, ${t('settled in this range')}`],
    [t('Requests //count'), formatCount(total?.requests ?? 0), t('all outcomes')],
    [
      t('Failed //count'),
      `${failed.toFixed(failed > 0 && failed < 10 ? 1 : 0)}%`,
      plural(total?.errors ?? 0, '{count} request', '{count} requests'),
    ],
    [
      t('Tokens //counted'),
      formatCount((total?.inputTokens ?? 0) + (total?.outputTokens ?? 0)),
      t('{count} of them output', { count: formatCount(total?.outputTokens ?? 0) }),
    ],
    [t('First byte'), time(total?.firstByteMs), t('mean of answers') + percentileWords(times?.first_byte_ms, isOfDay)],
    [t('Whole answer'), time(total?.totalMs), t('mean, failures too') + percentileWords(times?.total_ms, isOfDay)],
  ];
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="md" aria-busy={total === undefined}>
      {tiles.map(([label, value, note]) => (
        <Paper key={label} p="md">
          <Text size="sm" c="dimmed">
            {label}
          </Text>
          <Text fz={24} fw={650} lh={1.3} className="numeric">
            {total === undefined ? '…' : value}
          </Text>
          <Text size="xs" c="dimmed">
            {note}
          </Text>
        </Paper>
      ))}
    </SimpleGrid>
  );
}

function percentileWords(percentiles: Percentiles | undefined, isOfDay: boolean): string {
  const words = Object.entries(percentiles ?? {}).flatMap(([name, value]) =>
    value === null ? [] : [`${name} ${formatMilliseconds(value)}`],
  );
  if (words.length === 0) return '';
  return `; ${isOfDay ? words.join(', ') : t('last day {times}', { times: words.join(', ') })}`;
}
