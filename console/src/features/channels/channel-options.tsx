// The finer settings of a channel, folded away until wanted.
import {
  Accordion,
  MultiSelect,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  TagsInput,
  TextInput,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { NamePairs } from '../../components/name-pairs.tsx';
import type { Provider } from '#contract/providers.ts';
import { errorAt, type FieldErrors } from '../../lib/check-form.ts';
import { allAccounts } from '../../lib/choices.ts';
import { type ChannelDraft, ownOptions } from './channel-draft.ts';

type NumberField = 'connectMs' | 'firstByteMs' | 'idleMs' | 'totalMs' | 'concurrency' | 'rpm';

const numbers: [NumberField, path: string, label: string, description: string][] = [
  ['connectMs', 'connect_ms', 'Connect', 'Milliseconds to reach it'],
  ['firstByteMs', 'first_byte_ms', 'First byte', 'Milliseconds until it says something'],
  ['idleMs', 'idle_ms', 'Silence', 'Longest pause inside an answer'],
  ['totalMs', 'total_ms', 'Whole answer', 'Milliseconds at most'],
  ['concurrency', 'concurrency', 'At the same time', 'Calls; empty = no limit'],
  ['rpm', 'rpm', 'Per minute', 'Calls; empty = no limit'],
];

/** Options that only some kinds have. */
const ownLabels: Readonly<Record<string, [label: string, description: string]>> = {
  api_version: ['API version', 'A dated version, such as 2024-10-21; empty = /openai/v1'],
  region: ['Region', 'Empty = the one in the base address'],
  project: ['Project', 'Empty = the one of the service account'],
  location: ['Location', 'Empty = the one in the base address'],
  token_url: ['Token address', 'For tests only; empty = the vendor’s own'],
};

interface ChannelOptionsProps {
  draft: ChannelDraft;
  change(part: Partial<ChannelDraft>): void;
  errors: FieldErrors | undefined;
  provider: Provider | undefined;
}

export function ChannelOptions({ draft, change, errors, provider }: ChannelOptionsProps) {
  const { data: accounts = [] } = useQuery(allAccounts);
  return (
    <Accordion variant="separated">
      <Accordion.Item value="options">
        <Accordion.Control>Time limits, headers and more</Accordion.Control>
        <Accordion.Panel>
          <Stack>
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              {numbers.map(([field, path, label, description]) => (
                <NumberInput
                  key={field}
                  label={label}
                  description={description}
                  allowDecimal={false}
                  min={1}
                  hideControls
                  value={draft[field]}
                  onChange={(value) => change({ [field]: value })}
                  error={errorAt(errors, `options.${path}`)}
                />
              ))}
            </SimpleGrid>
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              {ownOptions(provider).map((name) => {
                const [label, description] = ownLabels[name] ?? [name, ''];
                return (
                  <TextInput
                    key={name}
                    label={label}
                    description={description}
                    value={draft.own[name] ?? ''}
                    onChange={(event) => change({ own: { ...draft.own, [name]: event.currentTarget.value } })}
                    error={errorAt(errors, `options.${name}`)}
                  />
                );
              })}
            </SimpleGrid>
            {provider !== undefined && provider.speaks.length > 0 && (
              <MultiSelect
                label="Protocols the upstream has"
                description="None chosen = all. Requests in another are translated"
                data={provider.speaks}
                value={draft.speaks}
                onChange={(value) => change({ speaks: value })}
                error={errorAt(errors, 'options.speaks')}
              />
            )}
            {provider?.makes_videos === true && (
              <Switch
                label="Keep copies of videos"
                description="Links of providers end after about a day; copies in the data folder stay until their task is deleted"
                checked={draft.archive ?? provider.archives}
                onChange={(event) => change({ archive: event.currentTarget.checked })}
              />
            )}
            <TagsInput
              label="Fields never sent"
              description="Names of request fields this upstream chokes on"
              value={draft.dropFields}
              onChange={(dropFields) => change({ dropFields })}
              error={errorAt(errors, 'options.drop_fields')}
            />
            <Select
              label="Only for one account"
              description="Nobody else reaches this channel or sees models that only it carries"
              placeholder="Every account"
              clearable
              searchable
              data={accounts.map(({ id, name }) => ({ value: id, label: name }))}
              value={draft.accountId === '' ? null : draft.accountId}
              onChange={(id) => change({ accountId: id ?? '' })}
              error={errorAt(errors, 'options.account_id')}
            />
            <Switch
              label="Share what the upstream keeps"
              description="Any account may name its files, prompts and stores; else an account may name only what it made itself"
              checked={draft.sharedObjects}
              onChange={(event) => change({ sharedObjects: event.currentTarget.checked })}
            />
            <TextInput
              label="Proxy"
              description="http://user:password@host:port for the calls of this channel; empty = as the environment of the gateway says"
              value={draft.proxy}
              onChange={(event) => change({ proxy: event.currentTarget.value })}
              error={errorAt(errors, 'options.proxy')}
            />
            <NamePairs
              label="Extra headers"
              description="Sent with every call. Values are sealed: a hint left as it is keeps its value"
              names={{ key: 'Header', value: 'Value', add: 'Add header' }}
              pairs={draft.headers}
              onChange={(headers) => change({ headers })}
              error={errorAt(errors, 'headers')}
            />
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}
