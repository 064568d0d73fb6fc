// The last step: its name, one live call, and everything saved at once. A call that fails is shown, and nothing is saved unless
// the operator says so.
import { Button, Group, NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { channelConnect } from '#contract/channels.ts';
import type { Provider } from '#contract/providers.ts';
import { Notice } from '../../../components/states.tsx';
import { plural, t } from '../../../i18n/t.ts';
import { sentenceOf } from '../../../lib/api-error.ts';
import { checkForm, errorAt, errorsOf, type FieldErrors } from '../../../lib/check-form.ts';
import { useConnect, usePreview } from '../api.ts';
import { bodyOf, type ChannelDraft } from '../form/channel-draft.ts';
import { ChannelOptions } from '../form/channel-options.tsx';
import { RoutingFields } from '../form/routing-fields.tsx';
import { TestResult } from '../test-result.tsx';
import { bestToTest, doubled, type ModelRow, pairsOfRows, pricesOf, ticked } from './model-rows.ts';

interface FinishStepProps {
  draft: ChannelDraft;
  change(part: Partial<ChannelDraft>): void;
  rows: ModelRow[];
  factor: bigint | undefined;
  provider: Provider;
  onDone(id: string): void;
}

export function FinishStep({ draft, change, rows, factor, provider, onDone }: FinishStepProps) {
  const [chosen, setChosen] = useState<string>();
  const [errors, setErrors] = useState<FieldErrors>();
  const test = usePreview();
  const connect = useConnect();
  const names = ticked(rows).map(({ name }) => name.trim());
  const model = chosen !== undefined && names.includes(chosen) ? chosen : bestToTest(rows);
  const prices = factor === undefined ? {} : pricesOf(rows, factor, provider.units);
  const body = { ...bodyOf({ ...draft, models: pairsOfRows(rows) }, provider), prices };
  const isReady = names.length > 0 && factor !== undefined && doubled(rows).length === 0;
  const isChecked = (): boolean => {
    const wrong = checkForm(channelConnect, body);
    setErrors(wrong);
    return wrong === undefined;
  };
  const save = async () => {
    if (!isChecked()) return;
    try {
      const { id, name } = await connect.mutateAsync(body);
      const onSale = names.length - unpriced(rows, prices).length;
      const message = plural(onSale, '{count} model is for sale.', '{count} models are for sale.');
      notifications.show({ color: 'green', title: t('{name} is connected', { name }), message });
      onDone(id);
    } catch (error) {
      setErrors(errorsOf(error));
    }
  };
  const tryIt = async (): Promise<boolean> => {
    if (!isChecked()) return false;
    try {
      return (await test.mutateAsync({ ...body, model })).test?.ok === true;
    } catch (error) {
      setErrors(errorsOf(error));
      return false;
    }
  };
  const result = test.data?.test ?? undefined;
  const missing = unpriced(rows, prices);
  return (
    <form
      noValidate
      aria-label={t('Test and connect')}
      onSubmit={(event) => {
        event.preventDefault();
        void tryIt().then((ok) => (ok ? save() : undefined));
      }}
    >
      <Stack>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput
            label={t('Name of the channel')}
            description={t('For operators; customers never see it')}
            value={draft.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
            error={errorAt(errors, 'name')}
          />
          <NativeSelect
            label={t('Model to test')}
            description={t('One real, cheap call with the first key')}
            data={names}
            value={model ?? ''}
            onChange={(event) => setChosen(event.currentTarget.value)}
          />
        </SimpleGrid>
        <ChannelOptions draft={draft} change={change} errors={errors} provider={provider}>
          <RoutingFields draft={draft} change={change} errors={errors} />
        </ChannelOptions>
        {missing.length > 0 && (
          <Notice color="yellow">
            {plural(
              missing.length,
              '{count} ticked model has no price. It is saved, and offered once it has one: {names}',
              '{count} ticked models have no price. They are saved, and offered once they have one: {names}',
              { names: missing.slice(0, 5).join(', ') + (missing.length > 5 ? ' …' : '') },
            )}
          </Notice>
        )}
        <div aria-live="polite">{result !== undefined && <TestResult result={result} />}</div>
        {Object.entries(errors ?? {})
          .filter(([path]) => path !== 'name' && !path.startsWith('options'))
          .map(([path, sentence]) => (
            <Notice key={path} color="red">
              <span role="alert">{path === '' ? sentence : `${path}: ${sentence}`}</span>
            </Notice>
          ))}
        {connect.error !== null && errors === undefined && (
          <Text c="var(--mantine-color-error)">{sentenceOf(connect.error)}</Text>
        )}
        <Group justify="flex-end">
          <Button
            variant="default"
            disabled={!isReady}
            loading={connect.isPending && !test.isPending}
            onClick={() => void save()}
          >
            {result?.ok === false ? t('Connect anyway') : t('Connect without a test')}
          </Button>
          <Button type="submit" disabled={!isReady} loading={test.isPending || connect.isPending}>
            {t('Test and connect')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Public names of ticked models that will not be for sale. */
function unpriced(rows: readonly ModelRow[], prices: object): string[] {
  return ticked(rows)
    .filter((row) => row.here === null && !Object.hasOwn(prices, row.name.trim()))
    .map(({ name }) => name.trim());
}
