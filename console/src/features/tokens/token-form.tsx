// Everything a token may and may not do, in one form: who pays, which models, from where, how much, how fast, how long.
import { Divider, SegmentedControl, Select, SimpleGrid, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import { t } from '../../i18n/t.ts';
import { FormFooter } from '../../components/form-footer.tsx';
import { SubjectSelect } from '../../components/subject-select.tsx';
import { ModelPatternsInput } from '../../components/model-patterns-input.tsx';
import { allGroups } from '../../lib/choices.ts';
import { errorAt } from '../../lib/check-form.ts';
import { useFormSend } from '../../lib/use-form-send.ts';
import { bodyOf, type TokenDraft } from './token-draft.ts';
import { TokenLimits } from './token-limits.tsx';

const fields = [
  'name',
  'account_id',
  'models',
  'group',
  'ip_allow',
  'origins',
  'quota',
  'quota_period',
  'rate',
  'expires_at',
];

interface TokenFormProps {
  draft: TokenDraft;
  schema: z.ZodType;
  submit: string;
  send(body: ReturnType<typeof bodyOf>): Promise<unknown>;
  cancel?: () => void;
}

export function TokenForm({ draft: first, schema, submit, send, cancel }: TokenFormProps) {
  const [draft, setDraft] = useState(first);
  const change = (part: Partial<TokenDraft>) => setDraft((before) => ({ ...before, ...part }));
  const { data: groups = [] } = useQuery(allGroups);
  const { errors, busy, submit: submitForm } = useFormSend(schema, () => bodyOf(draft), send);

  return (
    <form noValidate onSubmit={submitForm}>
      <Stack>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput
            label={t('Name')}
            description={t('What will use it')}
            placeholder={t('e.g. {example}', { example: t('reports service') })}
            data-autofocus
            value={draft.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
            error={errorAt(errors, 'name')}
          />
          <SubjectSelect
            kind="account"
            label={t('Account')}
            description={t('Who pays')}
            value={draft.accountId}
            onChange={(accountId) => change({ accountId })}
            error={errorAt(errors, 'account_id')}
          />
        </SimpleGrid>
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
              ? t('Reaches real channels and is charged to the account.')
              : t('Reaches only sandbox channels and never touches the balance.')}
          </Text>
        </div>
        <Divider label={t('What it may use')} labelPosition="left" />
        <ModelPatternsInput
          label={t('Models')}
          value={draft.models}
          onChange={(models) => change({ models })}
          error={errorAt(errors, 'models')}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Select
            label={t('Group')}
            description={t('Decides price multiplier and channels')}
            placeholder={t("The account's group")}
            clearable
            searchable
            data={groups.map(({ name }) => name)}
            value={draft.group}
            onChange={(group) => change({ group })}
            error={errorAt(errors, 'group')}
          />
          <TagsInput
            label={t('Allowed addresses')}
            description={t('IPv4, IPv6 or CIDR; none = any address')}
            placeholder={t('e.g. {example}', { example: '10.0.0.0/8' })}
            value={draft.addresses}
            onChange={(addresses) => change({ addresses })}
            error={errorAt(errors, 'ip_allow')}
            splitChars={[',', ' ']}
            acceptValueOnBlur
          />
        </SimpleGrid>
        <TagsInput
          label={t('Allowed web pages')}
          description={t('Origins of pages that may use it; none = any page')}
          placeholder={t('e.g. {example}', { example: 'https://app.example' })}
          value={draft.origins}
          onChange={(origins) => change({ origins })}
          error={errorAt(errors, 'origins')}
          splitChars={[',', ' ']}
          acceptValueOnBlur
        />
        <TokenLimits draft={draft} change={change} errors={errors} />
        <FormFooter errors={errors} fields={fields} busy={busy} submit={submit} cancel={cancel} />
      </Stack>
    </form>
  );
}
