// Which models: every one, or those of a list of names and beginnings.
import { SegmentedControl, TagsInput, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { t } from '../i18n/t.ts';
import { allModels } from '../lib/choices.ts';

interface ModelPatternsProps {
  label: string;
  /** null = every model. */
  value: string[] | null;
  onChange(value: string[] | null): void;
  error?: string | undefined;
}

export function ModelPatternsInput({ label, value, onChange, error }: ModelPatternsProps) {
  const { data: models = [] } = useQuery(allModels);
  const id = useId();
  return (
    <div>
      <Text size="sm" fw={500} mb={4} id={id}>
        {label}
      </Text>
      <SegmentedControl
        aria-labelledby={id}
        value={value === null ? 'all' : 'some'}
        onChange={(choice) => onChange(choice === 'all' ? null : [])}
        data={[
          { value: 'all', label: t('Every model') },
          { value: 'some', label: t('Only these') },
        ]}
      />
      {value !== null && (
        <TagsInput
          mt="sm"
          label={t('Allowed models')}
          description={t('Choose from the list, or type a beginning followed by *, such as sandbox-*')}
          placeholder={t('Search models')}
          data={models.map((model) => model.id)}
          value={value}
          onChange={onChange}
          error={error}
          clearable
          acceptValueOnBlur
        />
      )}
    </div>
  );
}
