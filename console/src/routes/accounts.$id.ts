// /accounts/$id: one account.
import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../lib/lazy-page.ts';
import { rootRoute } from './root.ts';

export const accountRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/accounts/$id',
  component: lazyPage(() => import('../features/accounts/account-screen.tsx'), 'AccountScreen'),
});
