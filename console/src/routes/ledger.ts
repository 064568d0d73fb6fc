// /ledger: the ledger.
import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../lib/lazy-page.ts';
import { textSearch } from '../lib/search.ts';
import { rootRoute } from './root.ts';

export const ledgerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/ledger',
  validateSearch: textSearch('account_id', 'token_id', 'kind', 'mode', 'request_id', 'task_id', 'from', 'to', 'view'),
  component: lazyPage(() => import('../features/ledger/ledger-screen.tsx'), 'LedgerScreen'),
});
