// /models: models and prices.
import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../lib/lazy-page.ts';
import { textSearch } from '../lib/search.ts';
import { rootRoute } from './root.ts';

export const modelsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/models',
  validateSearch: textSearch('find', 'sort'),
  component: lazyPage(() => import('../features/models/models-screen.tsx'), 'ModelsScreen'),
});
