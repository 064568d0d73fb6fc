// /channels/$id: one channel.
import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../lib/lazy-page.ts';
import { rootRoute } from './root.ts';

export const channelRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/channels/$id',
  component: lazyPage(() => import('../features/channels/page/channel-screen.tsx'), 'ChannelScreen'),
});
