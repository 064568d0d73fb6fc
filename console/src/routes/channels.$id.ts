// /channels/$id: one channel.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from './root.ts';

export const channelRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/channels/$id',
  component: lazyRouteComponent(() => import('../features/channels/channel-screen.tsx'), 'ChannelScreen'),
});
