// /playground: the playground.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { textSearch } from '../lib/search.ts';
import { rootRoute } from './root.ts';

export const playgroundRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/playground',
  validateSearch: textSearch('kind', 'model'),
  component: lazyRouteComponent(() => import('../features/playground/playground-screen.tsx'), 'PlaygroundScreen'),
});
