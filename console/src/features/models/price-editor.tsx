// What a model costs, by the unit that is counted, with an example worked out as the gateway would.
import { Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { t } from '../../i18n/t.ts';
import { NamePairs } from '../../components/name-pairs.tsx';
import { errorAt, type FieldErrors } from '../../lib/check-form.ts';
import { LongContextRates } from './long-context-rates.tsx';
import { draftOfUnit, type PriceDraft } from './price-draft.ts';
import { factsOf, ratesOf, type Unit, units } from './price-units.ts';
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
        label={t('Charged by //unit')}
        description={facts.about}
        allowDeselect={false}
        data={units.map(({ unit, label }) => ({ value: unit, label }))}
        value={draft.unit}
        onChange={(unit) => onChange(draftOfUnit(unit as Unit))}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {facts.fields.map(({ name, label, optional }) => (
          <TextInput
            key={name}
            label={label}
            inputMode="decimal"
            placeholder={optional === true ? t('As its whole') : '0.00'}
            value={draft.fields[name] ?? ''}
            onChange={(event) => set(name, event.currentTarget.value)}
            error={errorAt(errors, `price.${name}`)}
          />
        ))}
      </SimpleGrid>
      {facts.above === true && (
        <LongContextRates
          fields={ratesOf(facts)}
          rows={draft.above}
          onChange={(above) => onChange({ ...draft, above })}
          errors={errors}
        />
      )}
      {facts.tables?.map(({ name, label, description, key, value }) => (
        <NamePairs
          key={name}
          label={label}
          description={description}
          names={{ key, value, add: t('Add row') }}
          pairs={draft.tables[name] ?? []}
          onChange={(pairs) => onChange({ ...draft, tables: { ...draft.tables, [name]: pairs } })}
          error={errorAt(errors, `price.${name}`)}
        />
      ))}
      <WorkedExample key={draft.unit} draft={draft} />
    </Stack>
  );
}
