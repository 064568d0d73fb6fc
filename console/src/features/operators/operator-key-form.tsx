// The form that makes an operator key.
import { SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { operatorKeyCreate } from '#contract/operator-keys.ts';
import { t } from '../../i18n/t.ts';
import { FormFooter } from '../../components/form-footer.tsx';
import { errorAt } from '../../lib/check-form.ts';
import { fromLocalInput } from '../../lib/format-time.ts';
import { useFormSend } from '../../lib/use-form-send.ts';
import { useCreateOperatorKey } from './operator-keys-api.ts';
import { stateLabel } from '../../lib/state-label.ts';

const MEANINGS: Record<string, string> = {
  viewer: t('Reads the operator API and /metrics.'),
  admin: t('May change everything, also operators and other keys.'),
  metrics: t('Reads /metrics and nothing else.'),
};

export function OperatorKeyForm({ close, onMade }: { close(): void; onMade(key: string): void }) {
  const create = useCreateOperatorKey();
  const [draft, setDraft] = useState({ name: '', role: 'viewer', expires: '' });
  const { errors, busy, submit } = useFormSend(
    operatorKeyCreate,
    () => ({
      name: draft.name.trim(),
      role: draft.role,
      expires_at: draft.expires === '' ? null : fromLocalInput(draft.expires),
    }),
    async (body) => {
      const { key } = await create.mutateAsync(body);
      close();
      onMade(key);
    },
  );
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        <TextInput
          label={t('Name')}
          description={t('The program that uses it, such as prometheus; the audit log names it')}
          data-autofocus
          autoComplete="off"
          value={draft.name}
          onChange={(event) => setDraft({ ...draft, name: event.currentTarget.value })}
          error={errorAt(errors, 'name')}
        />
        <div>
          <Text size="sm" fw={500} mb={4} id="operator-key-role">
            {t('Role')}
          </Text>
          <SegmentedControl
            aria-labelledby="operator-key-role"
            value={draft.role}
            onChange={(role) => setDraft({ ...draft, role })}
            data={['viewer', 'admin', 'metrics'].map((value) => ({ value, label: stateLabel(value) }))}
          />
          <Text size="xs" c="dimmed" mt={4}>
            {MEANINGS[draft.role]}
          </Text>
        </div>
        <TextInput
          type="datetime-local"
          label={t('Expires')}
          description={t('In your time zone; empty = never')}
          value={draft.expires}
          onChange={(event) => setDraft({ ...draft, expires: event.currentTarget.value })}
          error={errorAt(errors, 'expires_at')}
        />
        <FormFooter
          errors={errors}
          fields={['name', 'role', 'expires_at']}
          busy={busy}
          submit={t('Create key')}
          cancel={close}
        />
      </Stack>
    </form>
  );
}
