// /: overview.
import { createRoute } from '@tanstack/react-router';
import { lazyFirstPage } from '../lib/lazy-page.ts';
import { textSearch } from '../lib/search.ts';
import { rootRoute } from './root.ts';

export const overviewRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  validateSearch: textSearch('range', 'by'),
  component: lazyFirstPage(() => import('../features/overview/overview-screen.tsx'), 'OverviewScreen'),
});
