// /operators: operators.
import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../lib/lazy-page.ts';
import { rootRoute } from './root.ts';

export const operatorsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/operators',
  component: lazyPage(() => import('../features/operators/operators-screen.tsx'), 'OperatorsScreen'),
});
