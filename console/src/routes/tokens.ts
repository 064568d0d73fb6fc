// /tokens: access tokens.
import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../lib/lazy-page.ts';
import { textSearch } from '../lib/search.ts';
import { rootRoute } from './root.ts';

export const tokensRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tokens',
  validateSearch: textSearch('q', 'account_id', 'status', 'mode', 'sort'),
  component: lazyPage(() => import('../features/tokens/tokens-screen.tsx'), 'TokensScreen'),
});
