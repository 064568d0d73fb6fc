// /tokens: access tokens.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { textSearch } from '../lib/search.ts';
import { rootRoute } from './root.ts';

export const tokensRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tokens',
  validateSearch: textSearch('q', 'account_id', 'status', 'mode'),
  component: lazyRouteComponent(() => import('../features/tokens/tokens-screen.tsx'), 'TokensScreen'),
});
