// Invites a person to an account, or changes what they may do.
import { SegmentedControl, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type Member, memberCreate, memberPatch } from '#contract/members.ts';
import { t } from '../../i18n/t.ts';
import { FormFooter } from '../../components/form-footer.tsx';
import { PeriodSelect } from '../../components/period-select.tsx';
import { errorAt } from '../../lib/check-form.ts';
import { amountOf, type Period } from '../../lib/limits.ts';
import { useFormSend } from '../../lib/use-form-send.ts';
import { stateLabel } from '../../lib/state-label.ts';

const MEANINGS: Record<string, string> = {
  owner: t('Sees everything of the account and manages all its tokens.'),
  member: t('Sees everything of the account and manages the tokens that they made.'),
  viewer: t('Sees everything of the account and changes nothing.'),
};

interface MemberFormProps {
  /** undefined = a new one. */
  before: Member | undefined;
  send(body: object): Promise<unknown>;
  cancel(): void;
}

export function MemberForm({ before, send, cancel }: MemberFormProps) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<string>(before?.role ?? 'member');
  const [cap, setCap] = useState(before?.cap?.amount ?? '');
  const [period, setPeriod] = useState<Period | null>(before === undefined ? 'month' : (before.cap?.period ?? null));
  const { errors, busy, submit } = useFormSend(
    before === undefined ? memberCreate : memberPatch,
    () => {
      const amount = amountOf(cap);
      const limits = { role, cap: amount === null ? null : { amount, period } };
      return before === undefined ? { email: email.trim(), ...limits } : limits;
    },
    send,
  );
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        {before === undefined && (
          <TextInput
            label={t('E-mail address')}
            description={t('The name that they sign in with; no mail is sent')}
            type="email"
            autoComplete="off"
            data-autofocus
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            error={errorAt(errors, 'email')}
          />
        )}
        <div>
          <Text size="sm" fw={500} mb={4} id="member-role">
            {t('Role')}
          </Text>
          <SegmentedControl
            aria-labelledby="member-role"
            value={role}
            onChange={setRole}
            data={['owner', 'member', 'viewer'].map((value) => ({ value, label: stateLabel(value) }))}
          />
          <Text size="xs" c="dimmed" mt={4}>
            {MEANINGS[role]}
          </Text>
        </div>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput
            label={t('Cap')}
            description={t('The most that all tokens they make may spend')}
            placeholder={t('No cap')}
            inputMode="decimal"
            value={cap}
            onChange={(event) => setCap(event.currentTarget.value)}
            error={errorAt(errors, 'cap')}
          />
          <PeriodSelect
            label={t('Cap resets')}
            never={t('Never')}
            value={period}
            onChange={setPeriod}
            error={undefined}
          />
        </SimpleGrid>
        <FormFooter
          errors={errors}
          fields={['email', 'role', 'cap']}
          busy={busy}
          submit={before === undefined ? t('Invite') : t('Save')}
          cancel={cancel}
        />
      </Stack>
    </form>
  );
}
