// /usage: what was used and charged.
import { createRoute } from '@tanstack/react-router';
import { filterNames } from '../features/usage/request-search.ts';
import { lazyPage } from '../lib/lazy-page.ts';
import { textSearch } from '../lib/search.ts';
import { rootRoute } from './root.ts';

export const usageRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/usage',
  validateSearch: textSearch('range', 'first', 'last', 'by', 'measure', 'compare', 'zone', ...filterNames),
  component: lazyPage(() => import('../features/usage/usage-screen.tsx'), 'UsageScreen'),
});
