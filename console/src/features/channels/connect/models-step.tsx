// The models of the upstream: which of them the channel carries, under which names, and what each is sold for.
import { Button, Checkbox, Group, Stack, Table, Text, TextInput } from '@mantine/core';
import { type RefObject, useState } from 'react';
import { Icon } from '../../../components/icon.tsx';
import { EmptyState, Notice } from '../../../components/states.tsx';
import { known, plural, t } from '../../../i18n/t.ts';
import { ModelLine } from './model-line.tsx';
import { doubled, type ModelRow, rowOfName, ticked } from './model-rows.ts';

interface ModelsStepProps {
  rows: ModelRow[];
  setRows(rows: ModelRow[]): void;
  markup: string;
  setMarkup(markup: string): void;
  /** What the markup multiplies by; undefined = it is no number. */
  factor: bigint | undefined;
  units: readonly string[];
  listError: string | null;
  filterField: RefObject<HTMLInputElement | null>;
}

/** So many are shown at first: a table of thousands would be slow, and nobody reads it. */
const SHOWN = 100;

export function ModelsStep(props: ModelsStepProps) {
  const { rows, setRows, markup, setMarkup, factor, units, listError, filterField } = props;
  const [filter, setFilter] = useState('');
  const [isAll, setAll] = useState(false);
  const found = rows.filter(({ upstream, name }) =>
    `${upstream} ${name}`.toLowerCase().includes(filter.trim().toLowerCase()),
  );
  const shown = isAll ? found : found.slice(0, SHOWN);
  const isEvery = found.length > 0 && found.every((row) => row.ticked);
  const set = (upstream: string, part: Partial<ModelRow>) =>
    setRows(rows.map((row) => (row.upstream === upstream ? { ...row, ...part } : row)));
  const tick = (which: ModelRow[], value: boolean) => {
    const names = new Set(which.map(({ upstream }) => upstream));
    setRows(rows.map((row) => (names.has(row.upstream) ? { ...row, ticked: value } : row)));
  };
  const twice = doubled(rows);
  return (
    <Stack>
      {listError !== null && (
        <Notice color="yellow">
          {rows.some(({ listPrice }) => listPrice !== null)
            ? t('The upstream gives no list of its models. These are the ones that the price list knows.')
            : t('There is no list of its models: {reason} Write the names of the models you want.', {
                reason: known(listError),
              })}
        </Notice>
      )}
      <Group align="flex-end" gap="sm">
        <TextInput
          ref={filterField}
          label={t('Find a model')}
          leftSection={<Icon name="search" size={16} />}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
          style={{ flex: '1 1 180px' }}
        />
        <TextInput
          label={t('Markup on list prices')}
          rightSection="%"
          inputMode="decimal"
          w={170}
          value={markup}
          onChange={(event) => setMarkup(event.currentTarget.value)}
          error={factor === undefined && t('A number, such as 20')}
        />
        <AddModel
          add={(upstream) => {
            if (!rows.some((row) => row.upstream === upstream)) setRows([rowOfName(upstream), ...rows]);
            else set(upstream, { ticked: true });
          }}
        />
      </Group>
      <Group justify="space-between" gap="xs">
        <Checkbox
          label={filter === '' ? t('Tick all') : t('Tick all that are found')}
          checked={isEvery}
          indeterminate={!isEvery && found.some((row) => row.ticked)}
          onChange={(event) => tick(found, event.currentTarget.checked)}
        />
        <Text size="sm" c="dimmed" aria-live="polite">
          {t('{ticked} of {all} ticked', { ticked: ticked(rows).length, all: rows.length })}
        </Text>
      </Group>
      {rows.length === 0 && <EmptyState icon="models" title={t('No models yet')} />}
      {shown.length > 0 && (
        <div className="connect-models" role="region" aria-label={t('Models of the upstream')} tabIndex={0}>
          <Table verticalSpacing={6} aria-label={t('Models of the upstream')}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('At the upstream')}</Table.Th>
                <Table.Th>{t('Public name')}</Table.Th>
                <Table.Th ta="right">{t('List price')}</Table.Th>
                <Table.Th ta="right">{t('Sold for')}</Table.Th>
                <Table.Th ta="right">{t('Margin')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {shown.map((row) => (
                <ModelLine
                  key={row.upstream}
                  row={row}
                  set={(part) => set(row.upstream, part)}
                  factor={factor}
                  units={units}
                />
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
      {found.length > shown.length && (
        <Button variant="default" size="xs" onClick={() => setAll(true)} style={{ alignSelf: 'center' }}>
          {plural(found.length - shown.length, 'Show {count} more', 'Show {count} more')}
        </Button>
      )}
      {twice.length > 0 && (
        <Notice color="red">
          {t('Two ticked models have the public name {names}: give one of them another.', { names: twice.join(', ') })}
        </Notice>
      )}
    </Stack>
  );
}

function AddModel({ add }: { add(upstream: string): void }) {
  const [name, setName] = useState('');
  const take = () => {
    if (name.trim() === '') return;
    add(name.trim());
    setName('');
  };
  return (
    <Group gap={6} align="flex-end" wrap="nowrap" style={{ flex: '1 1 240px' }}>
      <TextInput
        label={t('Add one that is not listed')}
        flex={1}
        spellCheck={false}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          take();
        }}
      />
      <Button variant="default" onClick={take} disabled={name.trim() === ''}>
        {t('Add')}
      </Button>
    </Group>
  );
}
