// /codes: codes that members redeem.
import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../lib/lazy-page.ts';
import { textSearch } from '../lib/search.ts';
import { rootRoute } from './root.ts';

export const codesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/codes',
  validateSearch: textSearch('redeemed'),
  component: lazyPage(() => import('../features/codes/codes-screen.tsx'), 'CodesScreen'),
});
