// /requests: the request log.
import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../lib/lazy-page.ts';
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
    'provider',
    'endpoint',
    'group',
    'mode',
    'lacks',
    'from',
    'to',
  ),
  component: lazyPage(() => import('../features/requests/requests-screen.tsx'), 'RequestsScreen'),
});
