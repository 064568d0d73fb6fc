// What can be done to several accounts at once.
import type { QueryClient } from '@tanstack/react-query';
import { t } from '../../i18n/t.ts';
import { type Account, account as accountSchema } from '#contract/accounts.ts';
import type { BulkAction } from '../../components/bulk-bar.tsx';
import { callApi } from '../../lib/api-client.ts';
import { forget } from '../../lib/lists.ts';

export function accountBulk(client: QueryClient): BulkAction<Account>[] {
  const done = () => forget(client, '/accounts');
  const set = (status: Account['status']) => (account: Account) =>
    callApi('PATCH', `/accounts/${encodeURIComponent(account.id)}`, {
      schema: accountSchema,
      body: { status },
      etag: account.etag,
    });
  return [
    {
      label: t('Disable'),
      meaning: t('Every call with a token of these accounts will be refused until they are enabled again.'),
      color: 'red',
      applies: ({ status }) => status === 'active',
      act: set('disabled'),
      done,
    },
    {
      label: t('Enable'),
      meaning: t('Calls with tokens of these accounts are accepted again.'),
      applies: ({ status }) => status === 'disabled',
      act: set('active'),
      done,
    },
  ];
}
