// /flags: flags.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from './root.ts';

export const flagsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/flags',
  component: lazyRouteComponent(() => import('../features/flags/flags-screen.tsx'), 'FlagsScreen'),
});
