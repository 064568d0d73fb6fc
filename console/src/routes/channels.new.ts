// /channels/new: connect a provider.
import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../lib/lazy-page.ts';
import { rootRoute } from './root.ts';

export const newChannelRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/channels/new',
  component: lazyPage(() => import('../features/channels/connect/connect-screen.tsx'), 'ConnectScreen'),
});
