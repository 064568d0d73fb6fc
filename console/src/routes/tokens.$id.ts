// /tokens/$id: one access token.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from './root.ts';

export const tokenRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tokens/$id',
  component: lazyRouteComponent(() => import('../features/tokens/token-screen.tsx'), 'TokenScreen'),
});
