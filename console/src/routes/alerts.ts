// /alerts: what is or was wrong, rules and sinks.
import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../lib/lazy-page.ts';
import { textSearch } from '../lib/search.ts';
import { rootRoute } from './root.ts';

export const alertsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/alerts',
  validateSearch: textSearch('state', 'rule'),
  component: lazyPage(() => import('../features/alerts/alerts-screen.tsx'), 'AlertsScreen'),
});
