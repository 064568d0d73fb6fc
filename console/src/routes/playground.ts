// /playground: the playground.
import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../lib/lazy-page.ts';
import { textSearch } from '../lib/search.ts';
import { rootRoute } from './root.ts';

export const playgroundRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/playground',
  validateSearch: textSearch('kind', 'model', 'replay'),
  component: lazyPage(() => import('../features/playground/playground-screen.tsx'), 'PlaygroundScreen'),
});
