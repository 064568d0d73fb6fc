// /models: models and prices.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { textSearch } from '../lib/search.ts';
import { rootRoute } from './root.ts';

export const modelsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/models',
  validateSearch: textSearch('find'),
  component: lazyRouteComponent(() => import('../features/models/models-screen.tsx'), 'ModelsScreen'),
});
