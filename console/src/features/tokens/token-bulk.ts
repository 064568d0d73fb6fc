// What can be done to several tokens at once.
import type { QueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { t } from '../../i18n/t.ts';
import { type Token, token as tokenSchema } from '#contract/tokens.ts';
import type { BulkAction } from '../../components/bulk-bar.tsx';
import { callApi } from '../../lib/api-client.ts';
import { forget } from '../../lib/lists.ts';

export function tokenBulk(client: QueryClient): BulkAction<Token>[] {
  const done = () => forget(client, '/tokens');
  const path = ({ id }: Token) => `/tokens/${encodeURIComponent(id)}`;
  const set = (status: Token['status']) => (token: Token) =>
    callApi('PATCH', path(token), { schema: tokenSchema, body: { status }, etag: token.etag });
  return [
    {
      label: t('Disable'),
      meaning: t('Every call with one of these tokens will be refused until it is enabled again.'),
      color: 'red',
      applies: ({ status }) => status === 'enabled',
      act: set('disabled'),
      done,
    },
    {
      label: t('Enable'),
      meaning: t('Calls with these tokens are accepted again.'),
      applies: ({ status }) => status === 'disabled',
      act: set('enabled'),
      done,
    },
    {
      label: t('Remove'),
      meaning: t('The keys of these tokens end for good. Their records stay for the ledger and the request log.'),
      color: 'red',
      applies: () => true,
      act: (token) => callApi('DELETE', path(token), { schema: z.undefined(), etag: token.etag }),
      done,
    },
  ];
}
