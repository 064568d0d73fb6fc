// Adds the amount of a code to the balance.
import { Button, Group, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { codeRedeem, codeRedeemed } from '#contract/portal.ts';
import { t } from '../../i18n/t.ts';
import { Card } from '../../components/card.tsx';
import { callApi } from '../../lib/api-client.ts';
import { errorAt } from '../../lib/check-form.ts';
import { formatMoney } from '../../lib/format-money.ts';
import { forget } from '../../lib/lists.ts';
import { useFormSend } from '../../lib/use-form-send.ts';

export function RedeemCard({ currency }: { currency: string }) {
  const [code, setCode] = useState('');
  const client = useQueryClient();
  const redeem = useMutation({
    mutationFn: (body: { code: string }) => callApi('POST', '/codes/redeem', { schema: codeRedeemed, body }),
    onSuccess: () => forget(client, '/account', '/statement'),
  });
  const { errors, busy, submit } = useFormSend(
    codeRedeem,
    () => ({ code: code.trim() }),
    async (body) => {
      const { amount, balance } = await redeem.mutateAsync(body);
      setCode('');
      const words = t('{amount} {currency} added. The balance is now {balance} {currency}.', {
        amount: formatMoney(amount),
        currency,
        balance: formatMoney(balance),
      });
      notifications.show({ color: 'green', message: words });
    },
  );
  return (
    <Card title={t('Redeem a code')} description={t('Its amount is added to the balance, once.')}>
      <form noValidate onSubmit={submit}>
        <Group align="flex-start" gap="xs" wrap="nowrap">
          <TextInput
            aria-label={t('Code //redeem')}
            placeholder={t('Code //redeem')}
            autoComplete="off"
            spellCheck={false}
            flex={1}
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
            error={errorAt(errors, 'code') ?? errors?.['']}
          />
          <Button type="submit" loading={busy}>
            {t('Redeem')}
          </Button>
        </Group>
      </form>
    </Card>
  );
}
