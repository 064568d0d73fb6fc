// Gives an account money, or takes some back, with a note for those who look later.
import { Button, Stack, Textarea, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { credit } from '#contract/accounts.ts';
import { t } from '../../i18n/t.ts';
import { FormFooter } from '../../components/form-footer.tsx';
import { FormModal } from '../../components/form-modal.tsx';
import { errorAt } from '../../lib/check-form.ts';
import { formatMoney } from '../../lib/format-money.ts';
import { useFormSend } from '../../lib/use-form-send.ts';
import { useAddCredit } from './api.ts';

export function CreditDialog({ accountId }: { accountId: string }) {
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button onClick={open}>{t('Add credit')}</Button>
      <FormModal opened={opened} onClose={close} title={t('Add credit')}>
        <CreditForm accountId={accountId} close={close} />
      </FormModal>
    </>
  );
}

function CreditForm({ accountId, close }: { accountId: string; close(): void }) {
  const [amount, setAmount] = useState('');
  const [note, setNote] = useState('');
  const add = useAddCredit(accountId);
  const { errors, busy, submit } = useFormSend(
    credit,
    () => ({ amount: amount.trim(), note: note.trim() === '' ? null : note.trim() }),
    async (body) => {
      const entry = await add.mutateAsync(body);
      close();
      notifications.show({
        color: 'green',
        message: t('The balance is now {balance_after}.', { balance_after: formatMoney(entry.balance_after) }),
      });
    },
  );
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        <TextInput
          label={t('Amount')}
          description={t('With a minus sign it is taken off')}
          inputMode="decimal"
          data-autofocus
          value={amount}
          onChange={(event) => setAmount(event.currentTarget.value)}
          error={errorAt(errors, 'amount')}
        />
        <Textarea
          label={t('Note')}
          description={t('Stands in the ledger for good')}
          autosize
          minRows={2}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
          error={errorAt(errors, 'note')}
        />
        <FormFooter errors={errors} fields={['amount', 'note']} busy={busy} submit={t('Add credit')} cancel={close} />
      </Stack>
    </form>
  );
}
