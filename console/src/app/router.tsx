// All pages under one router. Each is loaded when first visited.
import { createRouter } from '@tanstack/react-router';
import { t } from '../i18n/t.ts';
import { EmptyState, ErrorState, LoadingPage } from '../components/states.tsx';
import { PageButton } from '../components/page-link.tsx';
import { consolePath } from '../lib/addresses.ts';
import { parseSearch, stringifySearch } from '../lib/search.ts';
import { accountRoute } from '../routes/accounts.$id.ts';
import { accountsRoute } from '../routes/accounts.ts';
import { alertsRoute } from '../routes/alerts.ts';
import { auditRoute } from '../routes/audit.ts';
import { channelRoute } from '../routes/channels.$id.ts';
import { newChannelRoute } from '../routes/channels.new.ts';
import { channelsRoute } from '../routes/channels.ts';
import { codesRoute } from '../routes/codes.ts';
import { flagsRoute } from '../routes/flags.ts';
import { groupsRoute } from '../routes/groups.ts';
import { ledgerRoute } from '../routes/ledger.ts';
import { modelRoute } from '../routes/models.$id.ts';
import { modelsRoute } from '../routes/models.ts';
import { operatorsRoute } from '../routes/operators.ts';
import { overviewRoute } from '../routes/index.ts';
import { playgroundRoute } from '../routes/playground.ts';
import { requestRoute } from '../routes/requests.$id.ts';
import { requestsRoute } from '../routes/requests.ts';
import { settingsRoute } from '../routes/settings.ts';
import { startRoute } from '../routes/start.ts';
import { taskRoute } from '../routes/tasks.$id.ts';
import { tasksRoute } from '../routes/tasks.ts';
import { tokenRoute } from '../routes/tokens.$id.ts';
import { tokensRoute } from '../routes/tokens.ts';
import { usageRoute } from '../routes/usage.ts';
import { rootRoute } from '../routes/root.ts';
import { Layout } from './layout.tsx';

rootRoute.update({ component: Layout });

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    overviewRoute,
    usageRoute,
    requestsRoute,
    requestRoute,
    tasksRoute,
    taskRoute,
    playgroundRoute,
    accountsRoute,
    accountRoute,
    tokensRoute,
    tokenRoute,
    groupsRoute,
    ledgerRoute,
    codesRoute,
    channelsRoute,
    newChannelRoute,
    channelRoute,
    modelsRoute,
    modelRoute,
    flagsRoute,
    operatorsRoute,
    alertsRoute,
    auditRoute,
    settingsRoute,
    startRoute,
  ]),
  basepath: consolePath,
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultPendingComponent: LoadingPage,
  defaultErrorComponent: ({ error }) => <ErrorState error={error} retry={() => location.reload()} />,
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

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
