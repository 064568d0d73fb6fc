// A sink of alerts: its kind, where it is, and what it is notified of.
import { MultiSelect, PasswordInput, Select, Stack, Switch, TagsInput, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { alertRuleName, alertRules, type AlertRuleName } from '#contract/alert-rules.ts';
import { type AlertSink, alertSinkCreate, alertSinkPatch, sinkKind, type SinkKind } from '#contract/alerts.ts';
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

const fields = ['name', 'kind', 'url', 'to', 'secret', 'rules'];

export function SinkForm({ sink, close, onSecret }: SinkFormProps) {
  const [name, setName] = useState(sink?.name ?? '');
  const [kind, setKind] = useState<SinkKind>(sink?.kind ?? 'webhook');
  const [url, setUrl] = useState(sink?.kind === 'webhook' ? (sink.url ?? '') : '');
  const [to, setTo] = useState(sink?.to ?? []);
  const [secret, setSecret] = useState('');
  const [rotates, setRotates] = useState(false);
  const [rules, setRules] = useState<string[]>(sink?.rules ?? []);
  const [resolved, setResolved] = useState(sink?.resolved ?? true);
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
      status: enabled ? ('enabled' as const) : ('disabled' as const),
    }),
    async (body) => {
      const made = await save.mutateAsync(body);
      close();
      notifications.show({ message: 'Saved', color: 'green' });
      if (made.secret !== null) onSecret(made.secret);
    },
  );
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        <TextInput
          label="Name"
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={errorAt(errors, 'name')}
        />
        <Select
          label="Kind"
          allowDeselect={false}
          disabled={sink !== undefined}
          data={sinkKind.options.map((value) => ({ value, label: kindNames[value] }))}
          value={kind}
          onChange={(value) => setKind(sinkKind.catch('webhook').parse(value))}
          error={errorAt(errors, 'kind')}
        />
        {isMail ? (
          <TagsInput
            label="Recipients"
            description="E-mail addresses; press Enter after each. Mail goes through TOLLGATE_SMTP_URL"
            value={to}
            onChange={setTo}
            error={errorAt(errors, 'to')}
          />
        ) : (
          <TextInput
            label="Address"
            description={isKept && kind !== 'webhook' ? `Stays ${sink.url ?? ''} when left empty` : kindHints[kind]}
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
            error={errorAt(errors, 'url')}
          />
        )}
        {signingKinds.includes(kind) && (
          <PasswordInput
            label="Signing secret"
            description={
              sink?.has_secret === true ? 'Stays as it is when left empty' : 'Where the bot checks signatures'
            }
            autoComplete="off"
            value={secret}
            onChange={(event) => setSecret(event.currentTarget.value)}
            error={errorAt(errors, 'secret')}
          />
        )}
        {sink?.kind === 'webhook' && (
          <Switch
            label="Make a new secret"
            description="Receivers that still check by the old one refuse what is signed with it"
            checked={rotates}
            onChange={(event) => setRotates(event.currentTarget.checked)}
          />
        )}
        <MultiSelect
          label="Rules"
          description="None = every rule"
          data={alertRuleName.options.map((value) => ({ value, label: alertRules[value].title }))}
          value={rules}
          onChange={setRules}
          error={errorAt(errors, 'rules')}
        />
        <Switch
          label="Notify when an alert is resolved"
          checked={resolved}
          onChange={(event) => setResolved(event.currentTarget.checked)}
        />
        <Switch label="Enabled" checked={enabled} onChange={(event) => setEnabled(event.currentTarget.checked)} />
        <FormFooter errors={errors} fields={fields} busy={busy} submit="Save" cancel={close} />
      </Stack>
    </form>
  );
}
