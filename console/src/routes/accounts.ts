// /accounts: accounts.
import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../lib/lazy-page.ts';
import { textSearch } from '../lib/search.ts';
import { rootRoute } from './root.ts';

export const accountsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/accounts',
  validateSearch: textSearch('q', 'group', 'status', 'sort'),
  component: lazyPage(() => import('../features/accounts/accounts-screen.tsx'), 'AccountsScreen'),
});
