// A table of names and values that can grow: model mappings, headers.
import { ActionIcon, Autocomplete, Button, Group, Input, Stack, TextInput } from '@mantine/core';
import { t } from '../i18n/t.ts';
import type { NamePair } from '../lib/name-pairs.ts';
import { Icon } from './icon.tsx';

interface NamePairsProps {
  label: string;
  description: string;
  names: { key: string; value: string; add: string };
  pairs: NamePair[];
  choices?: string[];
  onChange(pairs: NamePair[]): void;
  error?: string | undefined;
}

export function NamePairs({ label, description, names, pairs, choices = [], onChange, error }: NamePairsProps) {
  const set = (index: number, part: Partial<NamePair>) =>
    onChange(pairs.map((pair, at) => (at === index ? { ...pair, ...part } : pair)));
  return (
    <Input.Wrapper label={label} description={description} error={error} labelElement="div">
      <Stack gap="xs" mt="xs">
        {pairs.map((pair, index) => (
          <Group key={index} gap="xs" wrap="nowrap">
            <Autocomplete
              flex={1}
              aria-label={`${names.key} ${index + 1}`}
              placeholder={names.key}
              data={choices}
              limit={20}
              value={pair.key}
              onChange={(key) => set(index, { key })}
            />
            <Icon name="right" size={14} />
            <TextInput
              flex={1}
              aria-label={`${names.value} ${index + 1}`}
              placeholder={pair.key === '' ? names.value : pair.key}
              value={pair.value}
              onChange={(event) => set(index, { value: event.currentTarget.value })}
            />
            <ActionIcon
              aria-label={t('Remove row {number}', { number: index + 1 })}
              onClick={() => onChange(pairs.filter((_, at) => at !== index))}
            >
              <Icon name="trash" size={16} />
            </ActionIcon>
          </Group>
        ))}
        <Button
          variant="default"
          size="xs"
          style={{ alignSelf: 'flex-start' }}
          leftSection={<Icon name="plus" size={14} />}
          onClick={() => onChange([...pairs, { key: '', value: '' }])}
        >
          {names.add}
        </Button>
      </Stack>
    </Input.Wrapper>
  );
}
