// The model of a call: those that are made for it first.
import { Select } from '@mantine/core';
import { t } from '../../i18n/t.ts';

export interface ModelChoices {
  fitting: string[];
  others: string[];
}

interface ModelSelectProps {
  label: string;
  choices: ModelChoices;
  value: string | null;
  onChange(model: string | null): void;
}

export function ModelSelect({ label, choices, value, onChange }: ModelSelectProps) {
  const groups = [
    { group: t('Made for this'), items: choices.fitting },
    { group: t('Others'), items: choices.others },
  ];
  return (
    <Select
      label={label}
      searchable
      allowDeselect={false}
      data={groups.filter(({ items }) => items.length > 0)}
      value={value}
      onChange={onChange}
    />
  );
}
