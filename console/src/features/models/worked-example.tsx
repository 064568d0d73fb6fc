// What a call would cost by the price that is being typed.
import { NumberInput, Paper, Select, SimpleGrid, Text } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../i18n/t.ts';
import { formatMoney } from '../../lib/format-money.ts';
import type { PriceDraft } from './price-draft.ts';
import { countsOf, kindsOf, workExample } from './work-example.ts';

export function WorkedExample({ draft }: { draft: PriceDraft }) {
  const [numbers, setNumbers] = useState<Record<string, number | string>>({});
  const [chosen, setChosen] = useState<string | null>(null);
  const counts = countsOf(draft);
  const kinds = [...new Set(kindsOf(draft))];
  const kind = kinds.find((one) => one === chosen) ?? kinds[0];
  const numberOf = ([name, , count]: (typeof counts)[number]) => numbers[name] ?? count;
  const example = workExample(draft, Object.fromEntries(counts.map((one) => [one[0], Number(numberOf(one))])), kind);
  return (
    <Paper p="md" bg="var(--tollgate-canvas)">
      <Text size="sm" fw={600} mb="xs">
        {t('Worked example')}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        {counts.map((one) => (
          <NumberInput
            key={one[0]}
            size="xs"
            label={one[1]}
            min={0}
            allowDecimal={false}
            thousandSeparator=","
            value={numberOf(one)}
            onChange={(value) => setNumbers({ ...numbers, [one[0]]: value })}
          />
        ))}
        {kind !== undefined && (
          <Select size="xs" label={t('Of kind')} allowDeselect={false} data={kinds} value={kind} onChange={setChosen} />
        )}
      </SimpleGrid>
      <div aria-live="polite">
        <Text fz={22} fw={650} mt="sm" className="numeric">
          {example === undefined ? '—' : formatMoney(example.amount)}
        </Text>
        <Text size="xs" c="dimmed" className="mono long">
          {example?.arithmetic ?? t('Fill in the prices to see what such a call costs.')}
        </Text>
      </div>
    </Paper>
  );
}
