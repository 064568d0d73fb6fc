// /channels: channels.
import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../lib/lazy-page.ts';
import { textSearch } from '../lib/search.ts';
import { rootRoute } from './root.ts';

export const channelsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/channels',
  validateSearch: textSearch('q', 'health', 'provider', 'status', 'keys'),
  component: lazyPage(() => import('../features/channels/board/channels-screen.tsx'), 'ChannelsScreen'),
});
