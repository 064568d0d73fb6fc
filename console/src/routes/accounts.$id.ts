// /accounts/$id: one account.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from './root.ts';

export const accountRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/accounts/$id',
  component: lazyRouteComponent(() => import('../features/accounts/account-screen.tsx'), 'AccountScreen'),
});
