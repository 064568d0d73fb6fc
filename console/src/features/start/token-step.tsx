// The third step: a token to call with.
import { Button, Group, Select, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../i18n/t.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { PageButton } from '../../components/page-link.tsx';
import { ErrorState, Notice } from '../../components/states.tsx';
import { allAccounts } from '../../lib/choices.ts';
import { useMayChange } from '../../lib/session.ts';
import { useMakeTryKey, useTryKey } from '../../lib/try-key.ts';

export function TokenStep({ next }: { next(): void }) {
  const mayChange = useMayChange();
  const [tryKey] = useTryKey();
  const { data: accounts = [] } = useQuery(allAccounts);
  const [account, setAccount] = useState<string | null>(null);
  const make = useMakeTryKey();
  const accountId = account ?? accounts[0]?.id ?? null;
  return (
    <>
      <Text size="sm">
        {t('Clients call with a token. It belongs to an account, which pays. This one ends by itself in an hour.')}
      </Text>
      {accounts.length === 0 && (
        <Notice color="yellow">{t('There is no account yet. Create one and give it credit first.')}</Notice>
      )}
      {tryKey === null ? (
        <Group align="flex-end">
          <Select
            label={t('Account')}
            w={280}
            allowDeselect={false}
            searchable
            data={accounts.map(({ id, name }) => ({ value: id, label: name }))}
            value={accountId}
            onChange={setAccount}
          />
          <Button
            disabled={!mayChange || accountId === null}
            loading={make.isPending}
            onClick={() => accountId !== null && make.mutate({ accountId, name: t('First steps') })}
          >
            {t('Make a token')}
          </Button>
          <PageButton to="/accounts" variant="default">
            {t('Accounts')}
          </PageButton>
        </Group>
      ) : (
        <>
          <Notice color="green">{t('Here is the token. It is shown only now.')}</Notice>
          <CodeBlock text={tryKey.key} label={t('Token')} />
          <Group>
            <Button onClick={next}>{t('Continue')}</Button>
          </Group>
        </>
      )}
      {make.error !== null && <ErrorState error={make.error} />}
    </>
  );
}
