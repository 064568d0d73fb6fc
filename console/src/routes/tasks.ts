// /tasks: video tasks.
import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../lib/lazy-page.ts';
import { textSearch } from '../lib/search.ts';
import { rootRoute } from './root.ts';

export const tasksRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tasks',
  validateSearch: textSearch('status', 'live', 'stuck', 'model', 'account_id', 'token_id', 'channel_id'),
  component: lazyPage(() => import('../features/tasks/tasks-screen.tsx'), 'TasksScreen'),
});
