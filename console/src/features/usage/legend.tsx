// What the marks of the bars mean, and when the gateway was away.
import { Group, List, Text } from '@mantine/core';
import type { Outage } from '#contract/usage.ts';
import { t } from '../../i18n/t.ts';
import type { Column } from './columns.ts';
import type { UsageLabels } from './usage-labels.ts';

const MOST_SHOWN = 5;

interface LegendProps {
  columns: readonly Column[];
  outages: readonly Outage[];
  words: UsageLabels;
}

export function Legend({ columns, outages, words }: LegendProps) {
  const marks: [health: string, label: string][] = [
    ['good', t('no failures')],
    ['some', t('fewer than 5% failed')],
    ['bad', t('5% or more failed')],
    ['quiet', t('no requests')],
    ['away', t('gateway away')],
  ];
  const last = outages.slice(-MOST_SHOWN).toReversed();
  return (
    <>
      <Group gap="md">
        {marks.map(([health, label]) => (
          <Group key={health} gap={6} wrap="nowrap">
            <span className="bars-cell swatch" data-health={health} />
            <Text size="xs" c="dimmed">
              {label}
            </Text>
          </Group>
        ))}
        {columns.some(({ state }) => state === 'running') && (
          <Text size="xs" c="dimmed">
            {t('Pale with a dashed edge: not over yet')}
          </Text>
        )}
      </Group>
      {last.length > 0 && (
        <List size="xs" c="dimmed" aria-label={t('When the gateway was away')}>
          {last.map(({ from, to }) => (
            <List.Item key={from}>
              {t('The gateway was away from {from} to {to} ({length})', {
                from: words.moment(from),
                to: words.moment(to),
                length: words.length(to - from),
              })}
            </List.Item>
          ))}
        </List>
      )}
    </>
  );
}
