// Public list prices brought into the catalogue: first what would change, then the change.
import { Badge, Button, Group, ScrollArea, Stack, Switch, TagsInput, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { priceImport, type PriceImportResult, priceImportResult } from '#contract/price-import.ts';
import { plural, t } from '../../i18n/t.ts';
import { type Column, PlainTable } from '../../components/data-table.tsx';
import { FormFooter } from '../../components/form-footer.tsx';
import { FormModal } from '../../components/form-modal.tsx';
import { EmptyState } from '../../components/states.tsx';
import { callApi } from '../../lib/api-client.ts';
import { errorAt } from '../../lib/check-form.ts';
import { forget } from '../../lib/lists.ts';
import { type RowSelection, useSelection } from '../../lib/use-selection.ts';
import { useFormSend } from '../../lib/use-form-send.ts';
import { priceSteps } from './price-steps.ts';
import { priceLabel } from './price-label.ts';

type Change = PriceImportResult['changes'][number];

const words = { create: t('new //price'), change: t('changed //price'), same: '', skip: '' } as const;

const columns: Column<Change>[] = [
  { header: t('Model'), render: (row) => <span className="cut">{row.model}</span> },
  {
    header: t('What'),
    render: (row) => (
      <Badge color={row.action === 'create' ? 'green' : 'blue'} miw="max-content">
        {words[row.action]}
      </Badge>
    ),
  },
  { header: t('What changes'), render: (row) => <Steps change={row} /> },
];

function Steps({ change: { before, after } }: { change: Change }) {
  if (before === null) return priceLabel(after);
  return (
    <Stack gap={2}>
      {priceSteps(before, after).map(({ field, from, to, share }) => (
        <Text key={field} size="sm" component="span">
          {field}: {from} → <b>{to}</b> {share !== undefined && `(${share})`}
        </Text>
      ))}
    </Stack>
  );
}

export function PriceImport({ opened, close }: { opened: boolean; close(): void }) {
  return (
    <FormModal opened={opened} onClose={close} title={t('Import list prices')} size="xl">
      {opened && <ImportForm close={close} />}
    </FormModal>
  );
}

function ImportForm({ close }: { close(): void }) {
  const client = useQueryClient();
  const [models, setModels] = useState<string[]>([]);
  const [multiplier, setMultiplier] = useState('1');
  const [create, setCreate] = useState(false);
  const [preview, setPreview] = useState<PriceImportResult>();
  const query = { source: 'list', models: models.length === 0 ? null : models, multiplier: multiplier.trim(), create };
  const selection = useSelection(movingOf(preview), ({ model }) => model);
  /** All are ticked at first: what is taken out is remembered. */
  const ticked = movingOf(preview).filter((row) => !selection.has(row));
  /** A preview is of these settings only. */
  const reset = () => {
    setPreview(undefined);
    selection.clear();
  };
  const { errors, busy, submit } = useFormSend(
    priceImport,
    () =>
      preview === undefined
        ? { ...query, dry_run: true }
        : { ...query, models: ticked.map(({ model }) => model), dry_run: false },
    async (body) => {
      const result = await callApi('POST', '/prices/import', { schema: priceImportResult, body });
      if (body.dry_run) return setPreview(result);
      await forget(client, '/models', '/prices/versions');
      notifications.show({
        color: 'green',
        message: plural(
          result.counts.create + result.counts.change,
          '{count} price imported',
          '{count} prices imported',
        ),
      });
      close();
    },
  );
  const moves = ticked.length;
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        <Text size="sm" c="dimmed">
          {t(
            'The public list prices that come with the gateway, in US dollars. Nothing changes before you have seen what would.',
          )}
        </Text>
        <Group grow align="flex-start">
          <TagsInput
            label={t('Only these models')}
            description={t('Exact names or prefix*; none = all')}
            value={models}
            onChange={(value) => {
              setModels(value);
              reset();
            }}
            error={errorAt(errors, 'models')}
          />
          <TextInput
            label={t('Multiply by')}
            description={t('Your margin: 1.2 = twenty percent')}
            inputMode="decimal"
            value={multiplier}
            onChange={(event) => {
              setMultiplier(event.currentTarget.value);
              reset();
            }}
            error={errorAt(errors, 'multiplier')}
          />
        </Group>
        <Switch
          label={t('Also make models that are not in the catalogue yet')}
          checked={create}
          onChange={(event) => {
            setCreate(event.currentTarget.checked);
            reset();
          }}
        />
        {preview !== undefined && <Preview result={preview} ticks={invert(selection, ticked)} />}
        {preview !== undefined && (
          <Button variant="default" onClick={reset} style={{ alignSelf: 'flex-start' }}>
            {t('Refresh preview')}
          </Button>
        )}
        {preview === undefined || moves > 0 ? (
          <FormFooter
            errors={errors}
            fields={['models', 'multiplier']}
            busy={busy}
            submit={
              preview === undefined
                ? t('Show what would change')
                : plural(moves, 'Import {count} price', 'Import {count} prices')
            }
            cancel={close}
          />
        ) : null}
      </Stack>
    </form>
  );
}

function movingOf(result: PriceImportResult | undefined): Change[] {
  return result?.changes.filter(({ action }) => action === 'create' || action === 'change') ?? [];
}

/** Ticks of a selection of rows that are left out. */
function invert(left: RowSelection<Change>, ticked: Change[]): RowSelection<Change> {
  return { ...left, rows: ticked, has: (row) => !left.has(row), setAll: (chosen) => left.setAll(!chosen) };
}

function Preview({ result, ticks }: { result: PriceImportResult; ticks: RowSelection<Change> }) {
  const { counts } = result;
  const moving = movingOf(result);
  return (
    <Stack gap="xs" aria-live="polite">
      <Text size="sm">
        {t('{create} new, {change} changed, {same} as they are, {skip} not in the catalogue.', {
          create: counts.create,
          change: counts.change,
          same: counts.same,
          skip: counts.skip,
        })}
      </Text>
      {moving.length === 0 ? (
        <EmptyState icon="coin" title={t('Nothing would change')} />
      ) : (
        <ScrollArea.Autosize mah={380}>
          <PlainTable
            label={t('What would change')}
            columns={columns}
            rows={moving}
            selection={ticks}
            keyOf={(row) => row.model}
          />
        </ScrollArea.Autosize>
      )}
    </Stack>
  );
}
