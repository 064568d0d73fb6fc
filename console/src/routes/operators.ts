// /operators: operators.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from './root.ts';

export const operatorsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/operators',
  component: lazyRouteComponent(() => import('../features/operators/operators-screen.tsx'), 'OperatorsScreen'),
});
