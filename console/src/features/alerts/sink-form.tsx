// A sink of alerts: its kind, where it is, and what it is notified of.
import { MultiSelect, PasswordInput, Select, Stack, Switch, TagsInput, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { alertRuleName, alertRules, type AlertRuleName } from '#contract/alert-rules.ts';
import { type AlertSink, alertSinkCreate, alertSinkPatch, sinkKind, type SinkKind } from '#contract/alerts.ts';
import { type Language, language, languages } from '../../i18n/language.ts';
import { known, t } from '../../i18n/t.ts';
import { FormFooter } from '../../components/form-footer.tsx';
import { errorAt } from '../../lib/check-form.ts';
import { useFormSend } from '../../lib/use-form-send.ts';
import { useSaveSink } from './api.ts';
import { kindHints, kindNames, signingKinds } from './sink-kinds.ts';

interface SinkFormProps {
  sink: AlertSink | undefined;
  close(): void;
  /** A secret was made. */
  onSecret(secret: string): void;
}

const fields = ['name', 'kind', 'url', 'to', 'secret', 'rules', 'language'];

export function SinkForm({ sink, close, onSecret }: SinkFormProps) {
  const [name, setName] = useState(sink?.name ?? '');
  const [kind, setKind] = useState<SinkKind>(sink?.kind ?? 'webhook');
  const [url, setUrl] = useState(sink?.kind === 'webhook' ? (sink.url ?? '') : '');
  const [to, setTo] = useState(sink?.to ?? []);
  const [secret, setSecret] = useState('');
  const [rotates, setRotates] = useState(false);
  const [rules, setRules] = useState<string[]>(sink?.rules ?? []);
  const [resolved, setResolved] = useState(sink?.resolved ?? true);
  const [sinkLanguage, setSinkLanguage] = useState<Language>(sink?.language ?? language);
  const [enabled, setEnabled] = useState(sink?.status !== 'disabled');
  const save = useSaveSink(sink);
  const isMail = kind === 'mail';
  /** An address that is not shown stays as it is when nothing is typed. */
  const isKept = sink !== undefined && url.trim() === '';
  const { errors, busy, submit } = useFormSend(
    sink === undefined ? alertSinkCreate : alertSinkPatch,
    () => ({
      name: name.trim(),
      ...(sink === undefined && { kind }),
      ...(isMail ? { to } : !isKept && { url: url.trim() === '' ? null : url.trim() }),
      ...(secret !== '' && { secret }),
      ...(rotates && { rotate_secret: true }),
      rules: rules.length === 0 ? null : (rules as AlertRuleName[]),
      resolved,
      language: sinkLanguage,
      status: enabled ? ('enabled' as const) : ('disabled' as const),
    }),
    async (body) => {
      const made = await save.mutateAsync(body);
      close();
      notifications.show({ message: t('Saved'), color: 'green' });
      if (made.secret !== null) onSecret(made.secret);
    },
  );
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        <TextInput
          label={t('Name')}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={errorAt(errors, 'name')}
        />
        <Select
          label={t('Kind')}
          allowDeselect={false}
          disabled={sink !== undefined}
          data={sinkKind.options.map((value) => ({ value, label: kindNames[value] }))}
          value={kind}
          onChange={(value) => setKind(sinkKind.catch('webhook').parse(value))}
          error={errorAt(errors, 'kind')}
        />
        {isMail ? (
          <TagsInput
            label={t('Recipients')}
            description={t('E-mail addresses; press Enter after each. Mail goes through TOLLGATE_SMTP_URL')}
            value={to}
            onChange={setTo}
            error={errorAt(errors, 'to')}
          />
        ) : (
          <TextInput
            label={t('Address')}
            description={
              isKept && kind !== 'webhook'
                ? t('Stays {value} when left empty', { value: sink.url ?? '' })
                : kindHints[kind]
            }
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
            error={errorAt(errors, 'url')}
          />
        )}
        {signingKinds.includes(kind) && (
          <PasswordInput
            label={t('Signing secret')}
            description={
              sink?.has_secret === true ? t('Stays as it is when left empty') : t('Where the bot checks signatures')
            }
            autoComplete="off"
            value={secret}
            onChange={(event) => setSecret(event.currentTarget.value)}
            error={errorAt(errors, 'secret')}
          />
        )}
        {sink?.kind === 'webhook' && (
          <Switch
            label={t('Make a new secret')}
            description={t('Receivers that still check by the old one refuse what is signed with it')}
            checked={rotates}
            onChange={(event) => setRotates(event.currentTarget.checked)}
          />
        )}
        <MultiSelect
          label={t('Rules')}
          description={t('None = every rule')}
          data={alertRuleName.options.map((value) => ({ value, label: known(alertRules[value].title) }))}
          value={rules}
          onChange={setRules}
          error={errorAt(errors, 'rules')}
        />
        {kind !== 'webhook' && (
          <Select
            label={t('Language')}
            description={t('Of the people who read it')}
            allowDeselect={false}
            data={languages.map(({ code, name: label }): { value: Language; label: string } => ({
              value: code,
              label,
            }))}
            value={sinkLanguage}
            onChange={(value) => setSinkLanguage(value ?? language)}
            error={errorAt(errors, 'language')}
          />
        )}
        <Switch
          label={t('Notify when an alert is resolved')}
          checked={resolved}
          onChange={(event) => setResolved(event.currentTarget.checked)}
        />
        <Switch label={t('Enabled')} checked={enabled} onChange={(event) => setEnabled(event.currentTarget.checked)} />
        <FormFooter errors={errors} fields={fields} busy={busy} submit={t('Save')} cancel={close} />
      </Stack>
    </form>
  );
}
