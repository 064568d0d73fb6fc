// /requests/$id: one request.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from './root.ts';

export const requestRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/requests/$id',
  component: lazyRouteComponent(() => import('../features/requests/request-screen.tsx'), 'RequestScreen'),
});
