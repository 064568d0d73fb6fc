// One model of the upstream, with its tick, its public name and its price.
import { Badge, Checkbox, Group, Table, Text, TextInput } from '@mantine/core';
import { t } from '../../../i18n/t.ts';
import { formatShare } from '../format-share.ts';
import { priceText, unitText } from '../price-text.ts';
import { isWrong, type ModelRow, priceOf, typedUnit } from './model-rows.ts';
import { marginOf } from './scale-price.ts';
import { NANO } from '../../../lib/decimal.ts';

interface ModelLineProps {
  row: ModelRow;
  set(part: Partial<ModelRow>): void;
  factor: bigint | undefined;
  units: readonly string[];
}

/** A model that ends within this time is worth a word. */
const SOON_SECONDS = 180 * 86_400;

export function ModelLine({ row, set, factor, units }: ModelLineProps) {
  const price = priceOf(row, factor ?? NANO, units);
  const margin = marginOf(row.listPrice, price);
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="xs">
          <Checkbox
            label={<span className="mono long">{row.upstream}</span>}
            checked={row.ticked}
            onChange={(event) => set({ ticked: event.currentTarget.checked })}
          />
          <Retires at={row.retiresAt} />
        </Group>
      </Table.Td>
      <Table.Td>
        {row.ticked ? (
          <TextInput
            size="xs"
            aria-label={t('Public name of {model}', { model: row.upstream })}
            spellCheck={false}
            value={row.name}
            onChange={(event) => set({ name: event.currentTarget.value })}
            error={row.name.trim() === ''}
          />
        ) : (
          <Text size="sm" c="dimmed" className="long">
            {row.name}
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="right" className="numeric" data-label={t('List price')}>
        <Text size="sm" c={row.listPrice === null ? 'dimmed' : undefined}>
          {row.listPrice === null ? t('not known') : priceText(row.listPrice)}
        </Text>
      </Table.Td>
      <Table.Td ta="right" className="numeric" data-label={t('Sold for')}>
        <Sold row={row} set={set} units={units} text={price === null ? t('not for sale') : priceText(price)} />
      </Table.Td>
      <Table.Td ta="right" className="numeric" data-label={t('Margin')}>
        <Text size="sm" c={margin === undefined ? 'dimmed' : margin < 0 ? 'red' : undefined}>
          {margin === undefined ? '—' : formatShare(margin)}
        </Text>
      </Table.Td>
    </Table.Tr>
  );
}

function Sold({ row, set, units, text }: Pick<ModelLineProps, 'row' | 'set' | 'units'> & { text: string }) {
  const unit = typedUnit(units);
  if (!row.ticked || row.here !== null || row.listPrice !== null || unit === undefined) {
    return (
      <Text size="sm" c={text === t('not for sale') ? 'dimmed' : undefined}>
        {text}
        {row.here !== null && ` (${t('as it is now')})`}
      </Text>
    );
  }
  const field = (name: 'input' | 'output', label: string) => (
    <TextInput
      size="xs"
      w={84}
      aria-label={t('{label} of {model}, {unit}', { label, model: row.upstream, unit: unitText(unit) })}
      placeholder={label}
      inputMode="decimal"
      value={row.typed[name]}
      onChange={(event) => set({ typed: { ...row.typed, [name]: event.currentTarget.value } })}
      error={isWrong(row, units)}
    />
  );
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      {field('input', unit === 'tokens' ? t('Input') : t('Price'))}
      {unit === 'tokens' && field('output', t('Output'))}
    </Group>
  );
}

function Retires({ at }: { at: number | null }) {
  if (at === null || at - Date.now() / 1000 > SOON_SECONDS) return null;
  const day = new Date(at * 1000).toISOString().slice(0, 10);
  return (
    <Badge color="yellow" miw="max-content">
      {t('ends {day}', { day })}
    </Badge>
  );
}
