// /models/$id: one model.
import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../lib/lazy-page.ts';
import { rootRoute } from './root.ts';

export const modelRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/models/$id',
  component: lazyPage(() => import('../features/models/model-screen.tsx'), 'ModelScreen'),
});
