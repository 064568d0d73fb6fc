// What can be done to several codes at once.
import type { QueryClient } from '@tanstack/react-query';
import type { Code } from '#contract/codes.ts';
import { t } from '../../i18n/t.ts';
import type { BulkAction } from '../../components/bulk-bar.tsx';
import { forget } from '../../lib/lists.ts';
import { removeCode } from './api.ts';

export function codeBulk(client: QueryClient): BulkAction<Code>[] {
  return [
    {
      label: t('Remove'),
      meaning: t('Nobody can redeem these codes any more.'),
      color: 'red',
      // The credit of a redeemed one is in the ledger: it stays.
      applies: ({ redeemed_at }) => redeemed_at === null,
      act: ({ id }) => removeCode(id),
      done: () => forget(client, '/codes'),
    },
  ];
}
