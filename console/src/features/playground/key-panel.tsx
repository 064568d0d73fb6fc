// With which token the playground calls: a fresh one that ends in an hour, or one that is pasted.
import { Button, Group, PasswordInput, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Card } from '../../components/card.tsx';
import { ErrorState } from '../../components/states.tsx';
import { rich } from '../../i18n/rich.ts';
import { t } from '../../i18n/t.ts';
import { allAccounts } from '../../lib/choices.ts';
import { useMayChange } from '../../lib/session.ts';
import { useMakeTryKey, useTryKey } from '../../lib/try-key.ts';

export function KeyPanel() {
  const mayChange = useMayChange();
  const [tryKey, setTryKey] = useTryKey();
  const [pasted, setPasted] = useState('');
  const [account, setAccount] = useState<string | null>(null);
  const { data: accounts = [] } = useQuery(allAccounts);
  const make = useMakeTryKey();
  const accountId = account ?? accounts[0]?.id ?? null;
  if (tryKey !== null) {
    return (
      <Card title={t('Token')}>
        <Group justify="space-between">
          <Text size="sm">
            {rich('Calls are made with {token} and charged as usual.', {
              token: <span className="mono">{tryKey.hint}</span>,
            })}
          </Text>
          <Button variant="default" size="xs" onClick={() => setTryKey(null)}>
            {t('Use another')}
          </Button>
        </Group>
      </Card>
    );
  }
  return (
    <Card title={t('Token')} description={t('Calls from here are real: they need a token, and they are charged.')}>
      <Stack>
        {mayChange && (
          <Group align="flex-end">
            <Select
              label={t('Account that pays')}
              flex="1 1 180px"
              searchable
              allowDeselect={false}
              data={accounts.map(({ id, name }) => ({ value: id, label: name }))}
              value={accountId}
              onChange={setAccount}
            />
            <Button
              disabled={accountId === null}
              loading={make.isPending}
              onClick={() => accountId !== null && make.mutate({ accountId, name: t('Playground') })}
            >
              {t('Make a token for an hour')}
            </Button>
          </Group>
        )}
        {make.error !== null && <ErrorState error={make.error} />}
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const key = pasted.trim();
            if (key !== '') setTryKey({ key, hint: `${key.slice(0, 5)}…${key.slice(-4)}` });
          }}
        >
          <Group align="flex-end">
            <PasswordInput
              label={mayChange ? t('Or paste a token') : t('Paste a token')}
              description={t('It stays in this page and is forgotten on reload')}
              flex="1 1 180px"
              autoComplete="off"
              value={pasted}
              onChange={(event) => setPasted(event.currentTarget.value)}
              visibilityToggleButtonProps={{ 'aria-label': t('Show or hide the token') }}
            />
            <Button type="submit" variant="default">
              {t('Use it')}
            </Button>
          </Group>
        </form>
      </Stack>
    </Card>
  );
}
