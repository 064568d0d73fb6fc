// What a token may do, within what the operator allows the account.
import { Button, Divider, Group, SegmentedControl, SimpleGrid, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type PortalToken, portalTokenCreate, portalTokenPatch } from '#contract/portal.ts';
import { t } from '../../i18n/t.ts';
import { FormFooter } from '../../components/form-footer.tsx';
import { PeriodSelect } from '../../components/period-select.tsx';
import { RateInputs } from '../../components/rate-inputs.tsx';
import { errorAt } from '../../lib/check-form.ts';
import { toLocalInput } from '../../lib/format-time.ts';
import { useFormSend } from '../../lib/use-form-send.ts';
import { accountQuery } from '../account.ts';
import { bodyOf, draftOf, type TokenDraft } from './token-draft.ts';

const DAY = 86_400;
const spans: [string, number][] = [
  [t('30 days'), 30 * DAY],
  [t('1 year'), 365 * DAY],
];
const fields = ['name', 'models', 'ip_allow', 'origins', 'quota', 'quota_period', 'rate', 'expires_at'];

interface TokenFormProps {
  /** undefined = a new one. */
  token: PortalToken | undefined;
  send(body: object): Promise<unknown>;
  cancel(): void;
}

export function TokenForm({ token, send, cancel }: TokenFormProps) {
  const [draft, setDraft] = useState(() => draftOf(token));
  const change = (part: Partial<TokenDraft>) => setDraft((before) => ({ ...before, ...part }));
  const { data: account } = useQuery(accountQuery);
  const schema = token === undefined ? portalTokenCreate : portalTokenPatch;
  const { errors, busy, submit } = useFormSend(schema, () => bodyOf(draft, token), send);
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        <TextInput
          label={t('Name')}
          description={t('What will use it')}
          placeholder={t('e.g. {example}', { example: t('reports service') })}
          data-autofocus
          value={draft.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
          error={errorAt(errors, 'name')}
        />
        {token === undefined && (
          <div>
            <Text size="sm" fw={500} mb={4} id="token-mode">
              {t('Mode')}
            </Text>
            <SegmentedControl
              aria-labelledby="token-mode"
              value={draft.mode}
              onChange={(mode) => change({ mode: mode === 'test' ? 'test' : 'live' })}
              data={[
                { value: 'live', label: t('Live') },
                { value: 'test', label: t('Test') },
              ]}
            />
            <Text size="xs" c="dimmed" mt={4}>
              {draft.mode === 'live'
                ? t('Calls real models and is charged to the account.')
                : t('Calls simulated models only and is never charged.')}
            </Text>
          </div>
        )}
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput
            label={t('Quota')}
            description={t('The most it may spend')}
            placeholder={t('No limit')}
            inputMode="decimal"
            value={draft.quota}
            onChange={(event) => change({ quota: event.currentTarget.value })}
            error={errorAt(errors, 'quota')}
          />
          <PeriodSelect
            label={t('Quota resets')}
            never={t('Never: for its whole life')}
            value={draft.quotaPeriod}
            onChange={(quotaPeriod) => change({ quotaPeriod })}
            error={errorAt(errors, 'quota_period')}
          />
        </SimpleGrid>
        <div>
          <TextInput
            type="datetime-local"
            label={t('Expires')}
            description={t('In your time zone; empty = never')}
            value={draft.expires}
            onChange={(event) => change({ expires: event.currentTarget.value })}
            error={errorAt(errors, 'expires_at')}
          />
          <Group gap={6} mt={6}>
            {spans.map(([label, seconds]) => (
              <Button
                key={label}
                size="compact-xs"
                variant="default"
                onClick={() => change({ expires: toLocalInput(Math.floor(Date.now() / 1000) + seconds) })}
              >
                {label}
              </Button>
            ))}
            <Button size="compact-xs" variant="default" onClick={() => change({ expires: '' })}>
              {t('Never')}
            </Button>
          </Group>
        </div>
        <Divider label={t('More limits')} labelPosition="left" />
        <TagsInput
          label={t('Models')}
          description={t('Names, or beginnings followed by *; none = every model of the account')}
          placeholder={draft.models.length === 0 ? t('Every model') : undefined}
          data={account?.models ?? []}
          value={draft.models}
          onChange={(models) => change({ models })}
          error={errorAt(errors, 'models')}
          splitChars={[',', ' ']}
          acceptValueOnBlur
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TagsInput
            label={t('Allowed addresses')}
            description={t('IPv4, IPv6 or CIDR; none = any')}
            placeholder={t('e.g. {example}', { example: '10.0.0.0/8' })}
            value={draft.addresses}
            onChange={(addresses) => change({ addresses })}
            error={errorAt(errors, 'ip_allow')}
            splitChars={[',', ' ']}
            acceptValueOnBlur
          />
          <TagsInput
            label={t('Allowed web pages')}
            description={t('Origins of pages; none = any')}
            placeholder={t('e.g. {example}', { example: 'https://app.example' })}
            value={draft.origins}
            onChange={(origins) => change({ origins })}
            error={errorAt(errors, 'origins')}
            splitChars={[',', ' ']}
            acceptValueOnBlur
          />
        </SimpleGrid>
        <RateInputs draft={draft} change={change} errors={errors} />
        <FormFooter
          errors={errors}
          fields={fields}
          busy={busy}
          submit={token === undefined ? t('Create token') : t('Save')}
          cancel={cancel}
        />
      </Stack>
    </form>
  );
}
