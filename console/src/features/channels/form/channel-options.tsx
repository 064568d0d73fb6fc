// The finer settings of a channel, folded away until wanted.
import { Accordion, MultiSelect, NumberInput, SimpleGrid, Stack, Switch, TagsInput, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { NamePairs } from '../../../components/name-pairs.tsx';
import { SubjectSelect } from '../../../components/subject-select.tsx';
import type { Provider } from '#contract/providers.ts';
import { t } from '../../../i18n/t.ts';
import { errorAt, type FieldErrors } from '../../../lib/check-form.ts';
import { type ChannelDraft, ownOptions } from './channel-draft.ts';
import { OwnOption } from './own-option.tsx';

type NumberField = 'connectMs' | 'firstByteMs' | 'idleMs' | 'totalMs' | 'concurrency' | 'rpm';

const numbers = (): [NumberField, path: string, label: string, description: string][] => [
  ['connectMs', 'connect_ms', t('Connect //time limit'), t('Milliseconds to reach it')],
  ['firstByteMs', 'first_byte_ms', t('First byte'), t('Milliseconds until its first byte')],
  ['idleMs', 'idle_ms', t('Silence'), t('Longest pause inside an answer')],
  ['totalMs', 'total_ms', t('Whole answer'), t('Milliseconds at most')],
  ['concurrency', 'concurrency', t('At the same time'), t('Calls; empty = no limit')],
  ['rpm', 'rpm', t('Per minute'), t('Calls; empty = no limit')],
];

interface ChannelOptionsProps {
  draft: ChannelDraft;
  change(part: Partial<ChannelDraft>): void;
  errors: FieldErrors | undefined;
  provider: Provider | undefined;
  /** Above the others. */
  children?: ReactNode;
}

export function ChannelOptions({ draft, change, errors, provider, children }: ChannelOptionsProps) {
  return (
    <Accordion variant="separated">
      <Accordion.Item value="options">
        <Accordion.Control>
          {children === undefined
            ? t('Time limits, headers and more')
            : t('Priority, groups, time limits, headers and more')}
        </Accordion.Control>
        <Accordion.Panel>
          <Stack>
            {children}
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              {numbers().map(([field, path, label, description]) => (
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
              {ownOptions(provider).map((name) => (
                <OwnOption key={name} name={name} draft={draft} change={change} errors={errors} />
              ))}
            </SimpleGrid>
            {provider !== undefined && provider.speaks.length > 0 && (
              <MultiSelect
                label={t('Protocols the upstream has')}
                description={t('None chosen = all. Requests in another are translated')}
                data={provider.speaks}
                value={draft.speaks}
                onChange={(value) => change({ speaks: value })}
                error={errorAt(errors, 'options.speaks')}
              />
            )}
            {provider?.makes_videos === true && (
              <Switch
                label={t('Keep copies of videos')}
                description={t(
                  'Links of providers end after about a day; copies in the data folder stay until their task is deleted',
                )}
                checked={draft.archive ?? provider.archives}
                onChange={(event) => change({ archive: event.currentTarget.checked })}
              />
            )}
            <TagsInput
              label={t('Fields never sent')}
              description={t('Request fields that this upstream rejects')}
              value={draft.dropFields}
              onChange={(dropFields) => change({ dropFields })}
              error={errorAt(errors, 'options.drop_fields')}
            />
            <SubjectSelect
              kind="account"
              label={t('Only for one account')}
              description={t('Nobody else reaches this channel or sees models that only it carries')}
              placeholder={t('Every account')}
              clearable
              value={draft.accountId === '' ? null : draft.accountId}
              onChange={(id) => change({ accountId: id ?? '' })}
              error={errorAt(errors, 'options.account_id')}
            />
            <Switch
              label={t('Share what the upstream keeps')}
              description={t(
                'Any account may name its files, prompts and stores; else an account may name only what it made itself',
              )}
              checked={draft.sharedObjects}
              onChange={(event) => change({ sharedObjects: event.currentTarget.checked })}
            />
            <TextInput
              label={t('Proxy')}
              description={t(
                'http://user:password@host:port for the calls of this channel; empty = as the environment of the gateway says',
              )}
              value={draft.proxy}
              onChange={(event) => change({ proxy: event.currentTarget.value })}
              error={errorAt(errors, 'options.proxy')}
            />
            <NamePairs
              label={t('Extra headers')}
              description={t('Sent with every call. Values are sealed: a hint left as it is keeps its value')}
              names={{ key: t('Header'), value: t('Value'), add: t('Add header') }}
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
