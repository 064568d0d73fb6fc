// /flags: flags.
import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../lib/lazy-page.ts';
import { rootRoute } from './root.ts';

export const flagsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/flags',
  component: lazyPage(() => import('../features/flags/flags-screen.tsx'), 'FlagsScreen'),
});
