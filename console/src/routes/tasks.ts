// /tasks: video tasks.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { textSearch } from '../lib/search.ts';
import { rootRoute } from './root.ts';

export const tasksRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tasks',
  validateSearch: textSearch('status', 'live', 'stuck', 'model', 'account_id', 'token_id', 'channel_id'),
  component: lazyRouteComponent(() => import('../features/tasks/tasks-screen.tsx'), 'TasksScreen'),
});
