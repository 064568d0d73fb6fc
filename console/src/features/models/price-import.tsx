// Public list prices brought into the catalogue: first what would change, then the change.
import { Badge, Button, Group, Modal, ScrollArea, Stack, Switch, TagsInput, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { priceImport, type PriceImportResult, priceImportResult } from '#contract/price-import.ts';
import { type Column, PlainTable } from '../../components/data-table.tsx';
import { FormFooter } from '../../components/form-footer.tsx';
import { EmptyState } from '../../components/states.tsx';
import { callApi } from '../../lib/api-client.ts';
import { errorAt } from '../../lib/check-form.ts';
import { forget } from '../../lib/lists.ts';
import { useFormSend } from '../../lib/use-form-send.ts';
import { priceWords } from './price-words.ts';

type Change = PriceImportResult['changes'][number];

const MOST_ROWS = 300;
const colors = { create: 'green', change: 'blue', same: 'gray', skip: 'gray' } as const;

const columns: Column<Change>[] = [
  { header: 'Model', render: (row) => <span className="cut">{row.model}</span> },
  {
    header: 'What',
    render: (row) => (
      <Badge color={colors[row.action]} miw="max-content">
        {row.action}
      </Badge>
    ),
  },
  { header: 'Now', wide: true, render: (row) => (row.before === null ? '—' : priceWords(row.before)) },
  {
    header: 'Then',
    render: (row) => priceWords(row.after),
  },
];

export function PriceImport({ opened, close }: { opened: boolean; close(): void }) {
  return (
    <Modal opened={opened} onClose={close} title="Import list prices" size="xl">
      {opened && <ImportForm close={close} />}
    </Modal>
  );
}

function ImportForm({ close }: { close(): void }) {
  const client = useQueryClient();
  const [models, setModels] = useState<string[]>([]);
  const [multiplier, setMultiplier] = useState('1');
  const [create, setCreate] = useState(false);
  const [preview, setPreview] = useState<PriceImportResult>();
  const query = { source: 'list', models: models.length === 0 ? null : models, multiplier: multiplier.trim(), create };
  /** A preview is of these settings only. */
  const reset = () => setPreview(undefined);
  const { errors, busy, submit } = useFormSend(
    priceImport,
    () => ({ ...query, dry_run: preview === undefined }),
    async (body) => {
      const result = await callApi('POST', '/prices/import', { schema: priceImportResult, body });
      if (body.dry_run) return setPreview(result);
      await forget(client, '/models', '/prices/versions');
      notifications.show({ color: 'green', message: `${result.counts.create + result.counts.change} prices imported` });
      close();
    },
  );
  const moves = preview === undefined ? 0 : preview.counts.create + preview.counts.change;
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        <Text size="sm" c="dimmed">
          The public list prices that come with the gateway, in US dollars. Nothing changes before you have seen what
          would.
        </Text>
        <Group grow align="flex-start">
          <TagsInput
            label="Only these models"
            description="Exact names or prefix*; none = all"
            value={models}
            onChange={(value) => {
              setModels(value);
              reset();
            }}
            error={errorAt(errors, 'models')}
          />
          <TextInput
            label="Multiply by"
            description="Your margin: 1.2 = twenty percent"
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
          label="Also make models that are not in the catalogue yet"
          checked={create}
          onChange={(event) => {
            setCreate(event.currentTarget.checked);
            reset();
          }}
        />
        {preview !== undefined && <Preview result={preview} />}
        {preview !== undefined && (
          <Button variant="default" onClick={reset} style={{ alignSelf: 'flex-start' }}>
            Look again
          </Button>
        )}
        {preview === undefined || moves > 0 ? (
          <FormFooter
            errors={errors}
            fields={['models', 'multiplier']}
            busy={busy}
            submit={preview === undefined ? 'Show what would change' : `Import ${moves} prices`}
            cancel={close}
          />
        ) : null}
      </Stack>
    </form>
  );
}

function Preview({ result: { counts, changes } }: { result: PriceImportResult }) {
  const moving = changes.filter(({ action }) => action === 'create' || action === 'change');
  return (
    <Stack gap="xs" aria-live="polite">
      <Text size="sm">
        {counts.create} new, {counts.change} changed, {counts.same} as they are, {counts.skip} not in the catalogue.
      </Text>
      {moving.length === 0 ? (
        <EmptyState icon="coin" title="Nothing would change" />
      ) : (
        <ScrollArea.Autosize mah={320}>
          <PlainTable
            label="What would change"
            columns={columns}
            rows={moving.slice(0, MOST_ROWS)}
            keyOf={(row) => row.model}
          />
        </ScrollArea.Autosize>
      )}
    </Stack>
  );
}
