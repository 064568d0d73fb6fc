// /alerts: what is or was wrong, rules and sinks.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { textSearch } from '../lib/search.ts';
import { rootRoute } from './root.ts';

export const alertsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/alerts',
  validateSearch: textSearch('state', 'rule'),
  component: lazyRouteComponent(() => import('../features/alerts/alerts-screen.tsx'), 'AlertsScreen'),
});
