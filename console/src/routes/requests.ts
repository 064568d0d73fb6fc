// /requests: the request log.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { textSearch } from '../lib/search.ts';
import { rootRoute } from './root.ts';

export const requestsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/requests',
  validateSearch: textSearch(
    'account_id',
    'token_id',
    'model',
    'status',
    'failed',
    'error_code',
    'channel_id',
    'from',
    'to',
  ),
  component: lazyRouteComponent(() => import('../features/requests/requests-screen.tsx'), 'RequestsScreen'),
});
