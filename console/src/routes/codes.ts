// /codes: codes that members redeem.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { textSearch } from '../lib/search.ts';
import { rootRoute } from './root.ts';

export const codesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/codes',
  validateSearch: textSearch('redeemed'),
  component: lazyRouteComponent(() => import('../features/codes/codes-screen.tsx'), 'CodesScreen'),
});
