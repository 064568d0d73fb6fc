// Gives the charge of a request back, with a reason for those who look later.
import { Button, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { refund, type RequestDetail } from '#contract/requests.ts';
import { FormFooter } from '../../components/form-footer.tsx';
import { FormModal } from '../../components/form-modal.tsx';
import { t } from '../../i18n/t.ts';
import { errorAt } from '../../lib/check-form.ts';
import { formatMoney } from '../../lib/format-money.ts';
import { useFormSend } from '../../lib/use-form-send.ts';
import { useRefund } from './api.ts';

export function RefundDialog({ request }: { request: RequestDetail }) {
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button variant="default" onClick={open}>
        {t('Refund')}
      </Button>
      <FormModal opened={opened} onClose={close} title={t('Refund this request')}>
        <RefundForm request={request} close={close} />
      </FormModal>
    </>
  );
}

function RefundForm({ request, close }: { request: RequestDetail; close(): void }) {
  const [amount, setAmount] = useState(request.charge);
  const [reason, setReason] = useState('');
  const give = useRefund(request.id);
  const { errors, busy, submit } = useFormSend(
    refund,
    () => ({ amount: amount.trim(), reason: reason.trim() }),
    async (body) => {
      const entry = await give.mutateAsync(body);
      close();
      notifications.show({
        color: 'green',
        message: t('Refunded. The balance is now {balance}.', { balance: formatMoney(entry.balance_after) }),
      });
    },
  );
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        <Text size="sm">
          {t('A credit in the ledger, with your name. It can be done once, and not be taken back here.')}
        </Text>
        <TextInput
          label={t('Amount')}
          description={t('At most the charge of {charge} {currency}', {
            charge: formatMoney(request.charge),
            currency: request.currency,
          })}
          inputMode="decimal"
          value={amount}
          onChange={(event) => setAmount(event.currentTarget.value)}
          error={errorAt(errors, 'amount')}
        />
        <Textarea
          label={t('Reason')}
          description={t('Stands in the ledger and in the audit log')}
          data-autofocus
          autosize
          minRows={2}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value.replaceAll('\n', ' '))}
          error={errorAt(errors, 'reason')}
        />
        <FormFooter errors={errors} fields={['amount', 'reason']} busy={busy} submit={t('Refund')} cancel={close} />
      </Stack>
    </form>
  );
}
