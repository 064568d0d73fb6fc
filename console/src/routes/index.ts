// /: overview.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { textSearch } from '../lib/search.ts';
import { rootRoute } from './root.ts';

export const overviewRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  validateSearch: textSearch('range', 'by'),
  component: lazyRouteComponent(() => import('../features/overview/overview-screen.tsx'), 'OverviewScreen'),
});
