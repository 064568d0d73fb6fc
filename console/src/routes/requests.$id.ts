// /requests/$id: one request.
import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../lib/lazy-page.ts';
import { rootRoute } from './root.ts';

export const requestRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/requests/$id',
  component: lazyPage(() => import('../features/requests/request-screen.tsx'), 'RequestScreen'),
});
