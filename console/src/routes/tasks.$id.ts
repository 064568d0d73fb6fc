// /tasks/$id: one video task.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from './root.ts';

export const taskRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tasks/$id',
  component: lazyRouteComponent(() => import('../features/tasks/task-screen.tsx'), 'TaskScreen'),
});
