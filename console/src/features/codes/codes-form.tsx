// Makes codes of one amount.
import { NumberInput, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { codesCreate } from '#contract/codes.ts';
import { t } from '../../i18n/t.ts';
import { FormFooter } from '../../components/form-footer.tsx';
import { errorAt } from '../../lib/check-form.ts';
import { fromLocalInput } from '../../lib/format-time.ts';
import { useFormSend } from '../../lib/use-form-send.ts';
import { useCreateCodes } from './api.ts';

export function CodesForm({ close, onMade }: { close(): void; onMade(codes: string[]): void }) {
  const create = useCreateCodes();
  const [draft, setDraft] = useState({ amount: '', count: 1 as number | string, expires: '', note: '' });
  const { errors, busy, submit } = useFormSend(
    codesCreate,
    () => ({
      amount: draft.amount.trim(),
      count: Number(draft.count),
      expires_at: draft.expires === '' ? null : fromLocalInput(draft.expires),
      note: draft.note.trim() === '' ? null : draft.note.trim(),
    }),
    async (body) => {
      const { data } = await create.mutateAsync(body);
      close();
      onMade(data.map(({ code }) => code));
    },
  );
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput
            label={t('Amount of each')}
            inputMode="decimal"
            data-autofocus
            value={draft.amount}
            onChange={(event) => setDraft({ ...draft, amount: event.currentTarget.value })}
            error={errorAt(errors, 'amount')}
          />
          <NumberInput
            label={t('How many')}
            min={1}
            max={1000}
            allowDecimal={false}
            value={draft.count}
            onChange={(count) => setDraft({ ...draft, count })}
            error={errorAt(errors, 'count')}
          />
        </SimpleGrid>
        <TextInput
          type="datetime-local"
          label={t('Expires')}
          description={t('In your time zone; empty = never')}
          value={draft.expires}
          onChange={(event) => setDraft({ ...draft, expires: event.currentTarget.value })}
          error={errorAt(errors, 'expires_at')}
        />
        <TextInput
          label={t('Note')}
          description={t('For operators, such as the campaign')}
          value={draft.note}
          onChange={(event) => setDraft({ ...draft, note: event.currentTarget.value })}
          error={errorAt(errors, 'note')}
        />
        <FormFooter
          errors={errors}
          fields={['amount', 'count', 'expires_at', 'note']}
          busy={busy}
          submit={t('Create codes')}
          cancel={close}
        />
      </Stack>
    </form>
  );
}
