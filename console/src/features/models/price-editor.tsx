// What a model costs, by the unit that is counted, with an example worked out as the gateway would.
import { Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { NamePairs } from '../../components/name-pairs.tsx';
import { errorAt, type FieldErrors } from '../../lib/check-form.ts';
import type { PriceDraft } from './price-draft.ts';
import { factsOf, type Unit, units } from './price-units.ts';
import { WorkedExample } from './worked-example.tsx';

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
