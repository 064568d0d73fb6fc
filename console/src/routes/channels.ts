// /channels: channels.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { textSearch } from '../lib/search.ts';
import { rootRoute } from './root.ts';

export const channelsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/channels',
  validateSearch: textSearch('provider', 'status'),
  component: lazyRouteComponent(() => import('../features/channels/channels-screen.tsx'), 'ChannelsScreen'),
});
