// /tokens/$id: one access token.
import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../lib/lazy-page.ts';
import { rootRoute } from './root.ts';

export const tokenRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tokens/$id',
  component: lazyPage(() => import('../features/tokens/token-screen.tsx'), 'TokenScreen'),
});
