// /start: the first steps.
import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../lib/lazy-page.ts';
import { rootRoute } from './root.ts';

export const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/start',
  component: lazyPage(() => import('../features/start/start-screen.tsx'), 'StartScreen'),
});
