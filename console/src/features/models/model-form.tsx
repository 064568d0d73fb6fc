// A model of the catalogue: its name, what it is good for, its price, and where it exists.
import { Divider, MultiSelect, NumberInput, Select, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { z } from 'zod';
import { flagList } from '#contract/flags.ts';
import { type Model, model as modelSchema, modelPut } from '#contract/models.ts';
import { modelId } from '#contract/values/text.ts';
import { t } from '../../i18n/t.ts';
import { FormFooter } from '../../components/form-footer.tsx';
import { callApi } from '../../lib/api-client.ts';
import { errorAt } from '../../lib/check-form.ts';
import { fromDay, toDay } from '../../lib/format-time.ts';
import { forget, wholeList } from '../../lib/lists.ts';
import { useFormSend } from '../../lib/use-form-send.ts';
import { bodyOfPrice, draftOfPrice } from './price-draft.ts';
import { PriceEditor } from './price-editor.tsx';

const endpointTypes = ['compat', 'compat-response', 'embeddings', 'image-generation', 'compat-video', 'rerank'];
const formSchema = z.object({ ...modelPut.shape, id: modelId });
const fields = [
  'id',
  'owned_by',
  'endpoint_types',
  'price',
  'flag',
  'max_output_tokens',
  'pass_unpriced',
  'retires_at',
];
const unpricedChoices = [
  { value: 'default', label: t('Drop tiers, pass tools on') },
  { value: 'pass', label: t('Pass both on') },
  { value: 'drop', label: t('Drop both') },
];
const allFlags = wholeList('/flags', flagList);

export function ModelForm({ model, id: firstId, close }: { model: Model | undefined; id?: string; close(): void }) {
  const client = useQueryClient();
  const { data: flags = [] } = useQuery(allFlags);
  const [etag] = useState(model?.etag);
  const [id, setId] = useState(model?.id ?? firstId ?? '');
  const [ownedBy, setOwnedBy] = useState(model?.owned_by ?? 'tollgate');
  const [types, setTypes] = useState<string[]>(model?.endpoint_types ?? []);
  const [enabled, setEnabled] = useState(model?.enabled ?? true);
  const [flag, setFlag] = useState(model?.flag ?? null);
  const [longest, setLongest] = useState<number | string>(model?.max_output_tokens ?? '');
  const [unpriced, setUnpriced] = useState(unpricedOf(model));
  const [retires, setRetires] = useState(toDay(model?.retires_at ?? null));
  const [forSale, setForSale] = useState(model === undefined || model.price !== null);
  const [price, setPrice] = useState(() => draftOfPrice(model?.price ?? null));
  const { errors, busy, submit } = useFormSend(
    formSchema,
    () => ({
      id: id.trim(),
      owned_by: ownedBy.trim(),
      endpoint_types: types,
      price: forSale ? bodyOfPrice(price) : null,
      enabled,
      flag,
      max_output_tokens: longest === '' ? null : Number(longest),
      pass_unpriced: unpriced === 'default' ? null : unpriced === 'pass',
      retires_at: fromDay(retires),
      ...(model !== undefined && { created: model.created }),
    }),
    async ({ id: name, ...body }) => {
      await callApi('PUT', `/models/${encodeURIComponent(name)}`, { schema: modelSchema, body, etag });
      await forget(client, '/models', '/prices/versions');
      close();
      notifications.show({ message: t('Saved'), color: 'green' });
    },
  );
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            label={t('Name')}
            description={t('As clients ask for it')}
            data-autofocus
            disabled={model !== undefined}
            value={id}
            onChange={(event) => setId(event.currentTarget.value)}
            error={errorAt(errors, 'id')}
          />
          <TextInput
            label={t('Owned by')}
            description={t('Shown in the model list')}
            value={ownedBy}
            onChange={(event) => setOwnedBy(event.currentTarget.value)}
            error={errorAt(errors, 'owned_by')}
          />
        </SimpleGrid>
        <MultiSelect
          label={t('Endpoint types')}
          description={t('What clients see that it is good for; none = by price and channels')}
          data={endpointTypes}
          value={types}
          onChange={setTypes}
          error={errorAt(errors, 'endpoint_types')}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <Select
            label={t('Flag')}
            description={t('Exists only where this flag is on')}
            placeholder={t('No flag')}
            clearable
            searchable
            data={flags.map(({ name }) => name)}
            value={flag}
            onChange={setFlag}
            error={errorAt(errors, 'flag')}
          />
          <NumberInput
            label={t('Max output tokens')}
            description={t('For the hold before a call')}
            placeholder={t('Unknown')}
            allowDecimal={false}
            min={1}
            hideControls
            value={longest}
            onChange={setLongest}
            error={errorAt(errors, 'max_output_tokens')}
          />
        </SimpleGrid>
        <TextInput
          type="date"
          label={t('Retires on')}
          description={t('When its vendor retires it (UTC): an alert warns before; empty = not known')}
          value={retires}
          onChange={(event) => setRetires(event.currentTarget.value)}
          error={errorAt(errors, 'retires_at')}
        />
        <Switch label={t('Offered')} checked={enabled} onChange={(event) => setEnabled(event.currentTarget.checked)} />
        <Divider label={t('Price')} labelPosition="left" />
        <Switch
          label={t('For sale')}
          description={t('A model without a price is not offered')}
          checked={forSale}
          onChange={(event) => setForSale(event.currentTarget.checked)}
        />
        {forSale && <PriceEditor draft={price} onChange={setPrice} errors={errors} />}
        <Select
          label={t('Without a price')}
          description={t('Service tiers and server-side tools that a request asks for and the price does not name')}
          allowDeselect={false}
          data={unpricedChoices}
          value={unpriced}
          onChange={(value) => setUnpriced(value ?? 'default')}
          error={errorAt(errors, 'pass_unpriced')}
        />
        <FormFooter errors={errors} fields={fields} busy={busy} submit={t('Save')} cancel={close} />
      </Stack>
    </form>
  );
}

function unpricedOf(model: Model | undefined): string {
  if (model === undefined || model.pass_unpriced === null) return 'default';
  return model.pass_unpriced ? 'pass' : 'drop';
}
