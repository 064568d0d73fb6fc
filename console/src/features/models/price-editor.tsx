// What a model costs, by the unit that is counted, with an example worked out as the gateway would.
import { NumberInput, Paper, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { NamePairs } from '../../components/name-pairs.tsx';
import { errorAt, type FieldErrors } from '../../lib/check-form.ts';
import { formatMoney } from '../../lib/format-money.ts';
import { type PriceDraft, workExample } from './price-draft.ts';
import { factsOf, type Unit, units } from './price-units.ts';

interface PriceEditorProps {
  draft: PriceDraft;
  onChange(draft: PriceDraft): void;
  errors: FieldErrors | undefined;
}

export function PriceEditor({ draft, onChange, errors }: PriceEditorProps) {
  const facts = factsOf(draft.unit);
  const set = (name: string, text: string) => onChange({ ...draft, fields: { ...draft.fields, [name]: text } });
  return (
    <Stack>
      <Select
        label="Charged by"
        description={facts.about}
        allowDeselect={false}
        data={units.map(({ unit, label }) => ({ value: unit, label }))}
        value={draft.unit}
        onChange={(unit) => onChange({ unit: unit as Unit, fields: {}, table: [] })}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {facts.fields.map(({ name, label, optional }) => (
          <TextInput
            key={name}
            label={label}
            inputMode="decimal"
            placeholder={optional === true ? 'As its whole' : '0.00'}
            value={draft.fields[name] ?? ''}
            onChange={(event) => set(name, event.currentTarget.value)}
            error={errorAt(errors, `price.${name}`)}
          />
        ))}
      </SimpleGrid>
      {facts.table !== undefined && (
        <NamePairs
          label={facts.table.label}
          description={facts.table.description}
          names={{ key: facts.table.key, value: facts.table.value, add: 'Add row' }}
          pairs={draft.table}
          onChange={(table) => onChange({ ...draft, table })}
          error={errorAt(errors, `price.${facts.table.name}`)}
        />
      )}
      <WorkedExample key={draft.unit} draft={draft} />
    </Stack>
  );
}

function WorkedExample({ draft }: { draft: PriceDraft }) {
  const { counts } = factsOf(draft.unit);
  const [numbers, setNumbers] = useState<Record<string, number | string>>(
    Object.fromEntries(counts.map(([name, , count]) => [name, count])),
  );
  const example = workExample(
    draft,
    Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, Number(value)])),
  );
  return (
    <Paper p="md" bg="var(--tollgate-canvas)">
      <Text size="sm" fw={600} mb="xs">
        Worked example
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        {counts.map(([name, label]) => (
          <NumberInput
            key={name}
            size="xs"
            label={label}
            min={0}
            allowDecimal={false}
            thousandSeparator=","
            value={numbers[name] ?? 0}
            onChange={(value) => setNumbers({ ...numbers, [name]: value })}
          />
        ))}
      </SimpleGrid>
      <div aria-live="polite">
        <Text fz={22} fw={650} mt="sm" className="numeric">
          {example === undefined ? '—' : formatMoney(example.amount)}
        </Text>
        <Text size="xs" c="dimmed" className="mono long">
          {example?.arithmetic ?? 'Fill in the prices to see what such a call costs.'}
        </Text>
      </div>
    </Paper>
  );
}
