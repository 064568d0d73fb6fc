// /tasks/$id: one video task.
import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../lib/lazy-page.ts';
import { rootRoute } from './root.ts';

export const taskRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tasks/$id',
  component: lazyPage(() => import('../features/tasks/task-screen.tsx'), 'TaskScreen'),
});
