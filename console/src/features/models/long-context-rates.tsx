// Rates of calls with more input tokens than a threshold: each row is a whole price of its own.
import { ActionIcon, Button, Group, Input, Paper, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { t } from '../../i18n/t.ts';
import { Icon } from '../../components/icon.tsx';
import { errorAt, type FieldErrors } from '../../lib/check-form.ts';
import type { PriceField } from './price-units.ts';

interface LongContextRatesProps {
  fields: PriceField[];
  rows: Record<string, string>[];
  onChange(rows: Record<string, string>[]): void;
  errors: FieldErrors | undefined;
}

const THRESHOLD: PriceField = { name: 'input_tokens', label: t('Above input tokens') };

export function LongContextRates({ fields, rows, onChange, errors }: LongContextRatesProps) {
  const set = (index: number, name: string, text: string) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, [name]: text } : row)));
  return (
    <Input.Wrapper
      label={t('Long context')}
      description={t('Rates for the whole call when its input is longer; a field left empty costs the price above')}
      error={errorAt(errors, 'price.above')}
      labelElement="div"
    >
      <Stack gap="xs" mt="xs">
        {rows.map((row, index) => (
          <Paper key={index} withBorder p="sm">
            <SimpleGrid cols={{ base: 1, xs: 3 }}>
              {[THRESHOLD, ...fields].map(({ name, label, optional }) => (
                <TextInput
                  key={name}
                  size="xs"
                  label={`${label} (${index + 1})`}
                  inputMode="decimal"
                  placeholder={optional === true ? t('As above') : name === THRESHOLD.name ? '200000' : '0.00'}
                  value={row[name] ?? ''}
                  onChange={(event) => set(index, name, event.currentTarget.value)}
                  error={errorAt(errors, `price.above.${index}.${name}`)}
                />
              ))}
            </SimpleGrid>
            <Group justify="flex-end" mt="xs">
              <ActionIcon
                aria-label={t('Remove long context {number}', { number: index + 1 })}
                onClick={() => onChange(rows.filter((_, at) => at !== index))}
              >
                <Icon name="trash" size={16} />
              </ActionIcon>
            </Group>
          </Paper>
        ))}
        <Button
          variant="default"
          size="xs"
          style={{ alignSelf: 'flex-start' }}
          leftSection={<Icon name="plus" size={14} />}
          onClick={() => onChange([...rows, {}])}
        >
          {t('Add long context')}
        </Button>
      </Stack>
    </Input.Wrapper>
  );
}
