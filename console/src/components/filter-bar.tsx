// Filters of a list. What is chosen lives in the address, so that a view can be sent to a colleague.
import { Autocomplete, Button, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { t } from '../i18n/t.ts';
import { fromLocalInput, toLocalInput, zoneShort } from '../lib/format-time.ts';
import { Icon } from './icon.tsx';
import { SubjectSelect } from './subject-select.tsx';
import { ViewsMenu } from './views-menu.tsx';

export type Filter<Name extends string> =
  | { kind: 'choice'; name: Name; label: string; choices: [value: string, label: string][] }
  /** Searched for on the gateway, however many there are. */
  | { kind: 'subject'; name: Name; label: string; of: 'account' | 'token' | 'channel' }
  | { kind: 'text'; name: Name; label: string; placeholder?: string }
  /** The whole text, or its beginning and a *. */
  | { kind: 'exact'; name: Name; label: string; choices?: string[] }
  | { kind: 'time'; name: Name; label: string };

type Values<Name extends string> = { [name in Name]?: string | undefined };

interface FilterBarProps<Name extends string> {
  filters: Filter<Name>[];
  values: Values<Name>;
  onChange(values: Values<Name>): void;
  /** Name of the page, where its filters can be saved as views. */
  views?: string;
}

export function FilterBar<Name extends string>({ filters, values, onChange, views }: FilterBarProps<Name>) {
  const set = (name: Name, value: string | null) => {
    const { [name]: _, ...rest } = values;
    onChange((value === null || value === '' ? rest : { ...rest, [name]: value }) as Values<Name>);
  };
  const chosen = filters.filter(({ name }) => values[name] !== undefined);
  return (
    <div className="filters" role="search">
      {filters.map((filter) => (
        <FilterField
          key={filter.name}
          filter={filter}
          value={values[filter.name]}
          set={(value) => set(filter.name, value)}
        />
      ))}
      {chosen.length > 0 && (
        <Button variant="subtle" size="xs" leftSection={<Icon name="close" size={14} />} onClick={() => onChange({})}>
          {t('Clear')}
        </Button>
      )}
      {views !== undefined && (
        <ViewsMenu
          page={views}
          values={Object.fromEntries(
            Object.entries<string | undefined>(values).filter(
              (entry): entry is [string, string] => entry[1] !== undefined,
            ),
          )}
          onChoose={(chosenValues) => onChange(chosenValues as Values<Name>)}
        />
      )}
    </div>
  );
}

interface FieldProps {
  filter: Filter<string>;
  value: string | undefined;
  set(value: string | null): void;
}

function FilterField({ filter, value, set }: FieldProps) {
  if (filter.kind === 'choice') {
    const known = filter.choices.some(([choice]) => choice === value);
    const data = filter.choices.map(([choice, label]) => ({ value: choice, label }));
    return (
      <Select
        size="xs"
        label={filter.label}
        placeholder={t('Any')}
        clearable
        data={known || value === undefined ? data : [...data, { value, label: value }]}
        value={value ?? null}
        onChange={set}
        // Deleting the text clears the filter.
        onSearchChange={(text) => text === '' && value !== undefined && set(null)}
      />
    );
  }
  if (filter.kind === 'subject') {
    return (
      <SubjectSelect
        size="xs"
        kind={filter.of}
        label={filter.label}
        placeholder={t('Any')}
        clearable
        value={value ?? null}
        onChange={set}
      />
    );
  }
  if (filter.kind === 'time') {
    return (
      <TextInput
        size="xs"
        type="datetime-local"
        label={`${filter.label} (${zoneShort()})`}
        value={value === undefined ? '' : toLocalInput(Number(value))}
        onChange={(event) => {
          const seconds = fromLocalInput(event.currentTarget.value);
          set(seconds === null ? null : String(seconds));
        }}
      />
    );
  }
  return <TextField filter={filter} value={value} set={set} />;
}

/** Waits until the typing pauses. The field stays the same one throughout, so that typing can go on in it. */
function TextField({ filter, value = '', set }: FieldProps & { filter: Filter<string> & { kind: 'text' | 'exact' } }) {
  const [text, setText] = useState(value);
  const [sent, setSent] = useState(value);
  const [seen, setSeen] = useState(value);
  const later = useDebouncedCallback((typed: string) => {
    setSent(typed);
    set(typed);
  }, 500);
  if (value !== seen) {
    setSeen(value);
    // Not by typing here: cleared, or another address.
    if (value !== sent) {
      setSent(value);
      setText(value);
    }
  }
  const type = (typed: string) => {
    setText(typed);
    later(typed.trim());
  };
  if (filter.kind === 'exact') {
    return (
      <Autocomplete
        size="xs"
        label={filter.label}
        placeholder={t('Whole, or beginning*')}
        data={filter.choices ?? []}
        limit={20}
        value={text}
        onChange={type}
      />
    );
  }
  return (
    <TextInput
      size="xs"
      label={filter.label}
      placeholder={filter.placeholder ?? t('Any')}
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}
