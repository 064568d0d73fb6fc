// A channel: where it is, with which keys, which models it carries, and when it is chosen.
import { Group, NumberInput, Select, SimpleGrid, Stack, TagsInput, Text, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Channel, channelCreate, channelPatch } from '#contract/channels.ts';
import { NamePairs } from '../../components/name-pairs.tsx';
import { FormFooter } from '../../components/form-footer.tsx';
import { allGroups, allModels } from '../../lib/choices.ts';
import { errorAt } from '../../lib/check-form.ts';
import { useFormSend } from '../../lib/use-form-send.ts';
import { useSaveChannel } from './api.ts';
import { bodyOf, type ChannelDraft, draftOf, filledBy } from './channel-draft.ts';
import { ChannelOptions } from './channel-options.tsx';
import { useProviders } from './providers.ts';

const fields = ['name', 'provider', 'base_url', 'keys', 'models', 'groups', 'priority', 'weight', 'headers', 'options'];

interface ChannelFormProps {
  channel: Channel | undefined;
  onDone(channel: Channel): void;
  cancel?: () => void;
}

export function ChannelForm({ channel, onDone, cancel }: ChannelFormProps) {
  const [opened] = useState(channel); // the page behind reads it again every few seconds
  const [draft, setDraft] = useState(() => draftOf(opened));
  const change = (part: Partial<ChannelDraft>) => setDraft((before) => ({ ...before, ...part }));
  const { data: groups = [] } = useQuery(allGroups);
  const { data: models = [] } = useQuery(allModels);
  const providers = useProviders();
  const provider = providers.find(({ name }) => name === draft.provider);
  const save = useSaveChannel(opened);
  const { errors, busy, submit } = useFormSend(
    channel === undefined ? channelCreate : channelPatch,
    () => bodyOf(draft, provider),
    async (body) => onDone(await save.mutateAsync(body)),
  );
  const preset = provider?.presets.find(({ base_url }) => base_url === draft.baseUrl.trim());
  return (
    <form noValidate onSubmit={submit} autoComplete="off">
      <Stack>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput
            label="Name"
            data-autofocus
            value={draft.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
            error={errorAt(errors, 'name')}
          />
          <Select
            label="Provider"
            allowDeselect={false}
            data={providers.map(({ name, label }) => ({ value: name, label }))}
            value={draft.provider}
            onChange={(name) => change({ provider: name ?? 'openai' })}
            error={errorAt(errors, 'provider')}
          />
        </SimpleGrid>
        <Text size="sm" c="dimmed" mt={-8}>
          {provider === undefined ? '' : `${provider.about}.`}
        </Text>
        {provider !== undefined && provider.presets.length > 0 && (
          <Select
            label="Vendor"
            description="Fills in the base address, what the upstream speaks and which fields it refuses"
            placeholder="Any other"
            searchable
            clearable
            data={provider.presets.map(({ vendor }) => vendor)}
            value={preset?.vendor ?? null}
            onChange={(name) => {
              const chosen = provider.presets.find(({ vendor }) => vendor === name);
              change(chosen === undefined ? { baseUrl: '' } : filledBy(chosen));
            }}
          />
        )}
        <TextInput
          label="Base address"
          description={
            provider === undefined ? '' : [`${provider.fields.base_url.hint}.`, preset?.note ?? ''].join(' ').trim()
          }
          placeholder={provider === undefined ? '' : `For example ${provider.fields.base_url.example}`}
          value={draft.baseUrl}
          onChange={(event) => change({ baseUrl: event.currentTarget.value })}
          error={errorAt(errors, 'base_url')}
        />
        <Textarea
          label="Keys"
          description={
            channel === undefined || channel.keys.length === 0
              ? `${provider === undefined ? '' : `${provider.fields.keys.hint}. `}One per line. They are encrypted and never shown again; several take turns.`
              : `${channel.keys.length} stored (${channel.keys.map(({ hint }) => hint).join(', ')}). Leave empty to keep them; what you type replaces all.`
          }
          autosize
          minRows={1}
          maxRows={5}
          spellCheck={false}
          value={draft.keys}
          onChange={(event) => change({ keys: event.currentTarget.value })}
          error={errorAt(errors, 'keys')}
        />
        <NamePairs
          label="Models"
          description="The public name, then the name at the upstream; empty = the same"
          names={{ key: 'Public name', value: 'Upstream name', add: 'Add model' }}
          choices={models.map(({ id }) => id)}
          pairs={draft.models}
          onChange={(value) => change({ models: value })}
          error={errorAt(errors, 'models')}
        />
        <Group grow align="flex-start">
          <NumberInput
            label="Priority"
            description="Higher first"
            allowDecimal={false}
            value={draft.priority}
            onChange={(priority) => change({ priority })}
            error={errorAt(errors, 'priority')}
          />
          <NumberInput
            label="Weight"
            description="Share within a priority"
            allowDecimal={false}
            min={0}
            value={draft.weight}
            onChange={(weight) => change({ weight })}
            error={errorAt(errors, 'weight')}
          />
        </Group>
        <TagsInput
          label="Groups"
          description="Only tokens of these groups; none = every group"
          data={[...new Set(['default', ...groups.map(({ name }) => name)])]}
          value={draft.groups}
          onChange={(value) => change({ groups: value })}
          error={errorAt(errors, 'groups')}
        />
        <ChannelOptions draft={draft} change={change} errors={errors} provider={provider} />
        <FormFooter
          errors={errors}
          fields={fields}
          busy={busy}
          submit={channel === undefined ? 'Create channel' : 'Save'}
          cancel={cancel}
        />
      </Stack>
    </form>
  );
}
