// Filters of a list. What is chosen lives in the address, so that a view can be sent to a colleague.
import { Button, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { fromLocalInput, toLocalInput } from '../lib/format-time.ts';
import { Icon } from './icon.tsx';

export type Filter<Name extends string> =
  | { kind: 'choice'; name: Name; label: string; choices: [value: string, label: string][] }
  | { kind: 'text'; name: Name; label: string; placeholder?: string }
  | { kind: 'time'; name: Name; label: string };

type Values<Name extends string> = { [name in Name]?: string | undefined };

interface FilterBarProps<Name extends string> {
  filters: Filter<Name>[];
  values: Values<Name>;
  onChange(values: Values<Name>): void;
}

export function FilterBar<Name extends string>({ filters, values, onChange }: FilterBarProps<Name>) {
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
          Clear
        </Button>
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
        placeholder="Any"
        clearable
        searchable={data.length > 8}
        data={known || value === undefined ? data : [...data, { value, label: value }]}
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
        label={filter.label}
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
function TextField({ filter, value = '', set }: FieldProps & { filter: Filter<string> & { kind: 'text' } }) {
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
  return (
    <TextInput
      size="xs"
      label={filter.label}
      placeholder={filter.placeholder ?? 'Any'}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        later(event.currentTarget.value.trim());
      }}
    />
  );
}
