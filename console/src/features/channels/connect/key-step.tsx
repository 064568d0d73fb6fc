// Where the vendor is and with which key: with that its models can be asked for.
import { Button, Group, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { Notice } from '../../../components/states.tsx';
import { known, t } from '../../../i18n/t.ts';
import { errorAt, type FieldErrors } from '../../../lib/check-form.ts';
import { type ChannelDraft, ownOptions } from '../form/channel-draft.ts';
import { OwnOption } from '../form/own-option.tsx';
import { VendorMark } from '../vendor/vendor-mark.tsx';
import { blanksIn, type Vendor } from './vendors.ts';

interface KeyStepProps {
  vendor: Vendor;
  draft: ChannelDraft;
  change(part: Partial<ChannelDraft>): void;
  errors: FieldErrors | undefined;
  busy: boolean;
  /** The models were asked for already. */
  isAsked: boolean;
  submit(event: { preventDefault(): void; currentTarget: HTMLFormElement }): void;
  back(): void;
}

export function KeyStep({ vendor, draft, change, errors, busy, isAsked, submit, back }: KeyStepProps) {
  const { provider, preset } = vendor;
  const blanks = blanksIn(draft.baseUrl);
  const { base_url: address, keys } = provider.fields;
  return (
    <form noValidate onSubmit={submit} autoComplete="off" aria-label={t('Address and key')}>
      <Stack>
        <Group wrap="nowrap" gap="sm">
          <VendorMark name={preset === undefined ? vendor.kind : vendor.name} size={40} />
          <div style={{ flex: 1, minWidth: 0 }}>
            <Text fw={600}>{vendor.name}</Text>
            <Text size="sm" c="dimmed">
              {[vendor.kind, preset?.note === null || preset === undefined ? '' : known(preset.note)]
                .filter((words) => words !== '')
                .join(' · ')}
            </Text>
          </div>
          <Button variant="default" size="xs" onClick={back}>
            {t('Change vendor')}
          </Button>
        </Group>
        <TextInput
          label={t('Base address')}
          description={
            preset === undefined
              ? t('{hint}. For example {example}', { hint: known(address.hint), example: address.example })
              : `${known(address.hint)}.`
          }
          autoFocus={preset === undefined}
          spellCheck={false}
          value={draft.baseUrl}
          onChange={(event) => change({ baseUrl: event.currentTarget.value })}
          error={errorAt(errors, 'base_url')}
        />
        {blanks.length > 0 && (
          <Notice color="yellow">
            {t('Replace {words} in the address by your own.', { words: blanks.join(', ') })}
          </Notice>
        )}
        {ownOptions(provider).length > 0 && (
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            {ownOptions(provider)
              .filter((name) => name !== 'token_url')
              .map((name) => (
                <OwnOption key={name} name={name} draft={draft} change={change} errors={errors} />
              ))}
          </SimpleGrid>
        )}
        <Textarea
          label={t('Key')}
          description={t('{hint}. Encrypted, never shown again. Several, one per line, take turns.', {
            hint: known(keys.hint),
          })}
          autoFocus={preset !== undefined}
          autosize
          minRows={1}
          maxRows={5}
          spellCheck={false}
          value={draft.keys}
          onChange={(event) => change({ keys: event.currentTarget.value })}
          onKeyDown={(event) => {
            // Enter goes on; Shift and Enter begin a line, as a pasted key list does.
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }}
          error={errorAt(errors, 'keys')}
        />
        {Object.entries(errors ?? {})
          .filter(([path]) => !['base_url', 'keys', 'options'].some((field) => path.startsWith(field)))
          .map(([path, sentence]) => (
            <Notice key={path} color="red">
              <span role="alert">{sentence}</span>
            </Notice>
          ))}
        <Group justify="flex-end">
          <Button type="submit" loading={busy} variant={isAsked ? 'default' : 'filled'}>
            {isAsked ? t('Ask for the models again') : t('Show its models')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
