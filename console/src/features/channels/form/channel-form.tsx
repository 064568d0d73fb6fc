// The settings of a channel: where it is, which models it carries, and when it is chosen. Its keys have a card of their own.
import { NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Channel, channelPatch } from '#contract/channels.ts';
import { NamePairs } from '../../../components/name-pairs.tsx';
import { FormFooter } from '../../../components/form-footer.tsx';
import { known, t } from '../../../i18n/t.ts';
import { allModels } from '../../../lib/choices.ts';
import { errorAt } from '../../../lib/check-form.ts';
import { useFormSend } from '../../../lib/use-form-send.ts';
import { useSaveChannel } from '../api.ts';
import { bodyOf, type ChannelDraft, draftOf, filledBy } from './channel-draft.ts';
import { ChannelOptions } from './channel-options.tsx';
import { useProviders } from '../providers.ts';
import { RoutingFields } from './routing-fields.tsx';

const fields = ['name', 'provider', 'base_url', 'models', 'groups', 'priority', 'weight', 'headers', 'options'];

interface ChannelFormProps {
  channel: Channel;
  onDone(channel: Channel): void;
  cancel?: () => void;
}

export function ChannelForm({ channel, onDone, cancel }: ChannelFormProps) {
  const [opened] = useState(channel); // the page behind reads it again every few seconds
  const [draft, setDraft] = useState(() => draftOf(opened));
  const change = (part: Partial<ChannelDraft>) => setDraft((before) => ({ ...before, ...part }));
  const { data: models = [] } = useQuery(allModels);
  const providers = useProviders();
  const provider = providers.find(({ name }) => name === draft.provider);
  const save = useSaveChannel(opened);
  const { errors, busy, submit } = useFormSend(
    channelPatch,
    () => bodyOf(draft, provider),
    async (body) => onDone(await save.mutateAsync(body)),
  );
  const preset = provider?.presets.find(({ base_url }) => base_url === draft.baseUrl.trim());
  return (
    <form noValidate onSubmit={submit} autoComplete="off">
      <Stack>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput
            label={t('Name')}
            data-autofocus
            value={draft.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
            error={errorAt(errors, 'name')}
          />
          {/* The browser's own select: typing goes to what begins with it, and Escape closes no dialog. */}
          <NativeSelect
            label={t('Provider')}
            data={providers.map(({ name, label }) => ({ value: name, label: known(label) }))}
            value={draft.provider}
            onChange={(event) => change({ provider: event.currentTarget.value })}
            error={errorAt(errors, 'provider')}
          />
        </SimpleGrid>
        <Text size="sm" c="dimmed" mt={-8}>
          {provider === undefined ? '' : `${known(provider.about)}.`}
        </Text>
        {provider !== undefined && provider.presets.length > 0 && (
          <NativeSelect
            label={t('Vendor')}
            description={t('Fills in the base address, what the upstream speaks and which fields it refuses')}
            data={[{ value: '', label: t('Any other') }, ...provider.presets.map(({ vendor }) => vendor)]}
            value={preset?.vendor ?? ''}
            onChange={(event) => {
              const chosen = provider.presets.find(({ vendor }) => vendor === event.currentTarget.value);
              if (chosen !== undefined) change(filledBy(chosen));
            }}
          />
        )}
        <TextInput
          label={t('Base address')}
          description={
            provider === undefined
              ? ''
              : [
                  t('{hint}. For example {example}', {
                    hint: known(provider.fields.base_url.hint),
                    example: provider.fields.base_url.example,
                  }),
                  preset === undefined || preset.note === null ? '' : `${known(preset.note)}.`,
                ]
                  .join(' ')
                  .trim()
          }
          value={draft.baseUrl}
          onChange={(event) => change({ baseUrl: event.currentTarget.value })}
          error={errorAt(errors, 'base_url')}
        />
        <NamePairs
          label={t('Models')}
          description={t('The public name, then the name at the upstream; empty = the same')}
          names={{ key: t('Public name'), value: t('Upstream name'), add: t('Add model') }}
          choices={models.map(({ id }) => id)}
          pairs={draft.models}
          onChange={(value) => change({ models: value })}
          error={errorAt(errors, 'models')}
        />
        <RoutingFields draft={draft} change={change} errors={errors} />
        <ChannelOptions draft={draft} change={change} errors={errors} provider={provider} />
        <FormFooter errors={errors} fields={fields} busy={busy} submit={t('Save')} cancel={cancel} />
      </Stack>
    </form>
  );
}
