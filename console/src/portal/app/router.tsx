// All pages of the portal under one router. Each is loaded when first visited.
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { t } from '../../i18n/t.ts';
import { PageButton } from '../../components/page-link.tsx';
import { EmptyState, ErrorState, LoadingPage } from '../../components/states.tsx';
import { consolePath } from '../../lib/addresses.ts';
import { parseSearch, stringifySearch, textSearch } from '../../lib/search.ts';
import { Layout } from './layout.tsx';

const rootRoute = createRootRoute({ component: Layout });
const at = { getParentRoute: () => rootRoute };

const routeTree = rootRoute.addChildren([
  createRoute({
    ...at,
    path: '/',
    component: lazyRouteComponent(() => import('../money/overview-screen.tsx'), 'OverviewScreen'),
  }),
  createRoute({
    ...at,
    path: '/usage',
    validateSearch: textSearch('range', 'by'),
    component: lazyRouteComponent(() => import('../money/usage-screen.tsx'), 'UsageScreen'),
  }),
  createRoute({
    ...at,
    path: '/statements',
    validateSearch: textSearch('month'),
    component: lazyRouteComponent(() => import('../money/statements-screen.tsx'), 'StatementsScreen'),
  }),
  createRoute({
    ...at,
    path: '/tokens',
    component: lazyRouteComponent(() => import('../tokens/tokens-screen.tsx'), 'TokensScreen'),
  }),
  createRoute({
    ...at,
    path: '/requests',
    validateSearch: textSearch('token_id', 'model', 'failed', 'from', 'to'),
    component: lazyRouteComponent(() => import('../activity/requests-screen.tsx'), 'RequestsScreen'),
  }),
  createRoute({
    ...at,
    path: '/requests/$id',
    component: lazyRouteComponent(() => import('../activity/request-screen.tsx'), 'RequestScreen'),
  }),
  createRoute({
    ...at,
    path: '/tasks',
    component: lazyRouteComponent(() => import('../activity/tasks-screen.tsx'), 'TasksScreen'),
  }),
  createRoute({
    ...at,
    path: '/tasks/$id',
    component: lazyRouteComponent(() => import('../activity/task-screen.tsx'), 'TaskScreen'),
  }),
  createRoute({
    ...at,
    path: '/settings',
    component: lazyRouteComponent(() => import('../settings-screen.tsx'), 'SettingsScreen'),
  }),
]);

export const router = createRouter({
  routeTree,
  basepath: consolePath,
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultPendingComponent: LoadingPage,
  defaultErrorComponent: ({ error }) => <ErrorState error={error} />,
  defaultNotFoundComponent: () => (
    <EmptyState
      title={t('There is no such page')}
      action={
        <PageButton to="/" variant="default">
          {t('Back to the overview')}
        </PageButton>
      }
    />
  ),
  scrollRestoration: true,
});
