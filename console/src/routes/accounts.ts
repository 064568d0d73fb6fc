// /accounts: accounts.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { textSearch } from '../lib/search.ts';
import { rootRoute } from './root.ts';

export const accountsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/accounts',
  validateSearch: textSearch('q', 'group', 'status'),
  component: lazyRouteComponent(() => import('../features/accounts/accounts-screen.tsx'), 'AccountsScreen'),
});
