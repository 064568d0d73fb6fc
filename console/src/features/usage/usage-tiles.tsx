// The sums of the period, each beside that of the period before.
import { Group, Paper, SimpleGrid, Skeleton, Text } from '@mantine/core';
import type { UsageRow } from '#contract/usage.ts';
import { t } from '../../i18n/t.ts';
import { Change } from './change.tsx';
import { type Measure, measures, valueOf } from './columns.ts';
import { percentOf, type UsageLabels } from './usage-labels.ts';

interface UsageTilesProps {
  total: UsageRow | undefined;
  /** undefined = it is not compared, or not known yet. */
  before: UsageRow | undefined;
  compared: boolean;
  ready: boolean;
  words: UsageLabels;
}

export function UsageTiles({ total, before, compared, ready, words }: UsageTilesProps) {
  const labels: Record<Measure, string> = {
    amount: t('Charged'),
    requests: t('Requests //count'),
    errors: t('Failed //count'),
    tokens: t('Tokens //counted'),
  };
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md" aria-busy={!ready}>
      {measures.map((measure) => {
        const value = valueOf(total, measure);
        return (
          <Paper key={measure} p="md">
            <Text size="sm" c="dimmed">
              {labels[measure]}
            </Text>
            {ready ? (
              <Text fz={24} fw={650} lh={1.3} className="numeric" title={words.exact(value, measure)}>
                {words.value(value, measure)}
              </Text>
            ) : (
              <Skeleton height={31} width={90} />
            )}
            <Group gap={6}>
              {measure === 'errors' && total !== undefined && total.requests > 0 && (
                <Text size="xs" c="dimmed">
                  {percentOf(total.errors / total.requests)}
                </Text>
              )}
              {compared && (
                <>
                  <Change now={value} before={valueOf(before, measure)} measure={measure} />
                  <Text size="xs" c="dimmed" title={words.exact(valueOf(before, measure), measure)}>
                    {t('before: {value}', { value: words.value(valueOf(before, measure), measure) })}
                  </Text>
                </>
              )}
            </Group>
          </Paper>
        );
      })}
    </SimpleGrid>
  );
}
