// Video tasks of every account, moving while one looks.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { taskList } from '#contract/tasks.ts';
import { t } from '../../i18n/t.ts';
import { ListTable } from '../../components/data-table.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState } from '../../components/states.tsx';
import { allModels } from '../../lib/choices.ts';
import { usePages } from '../../lib/lists.ts';
import { useNames } from '../../lib/names.ts';
import { isLive, LIVE_MS } from './api.ts';
import { taskColumns } from './task-columns.tsx';
import { stateLabel } from '../../lib/state-label.ts';

const route = getRouteApi('/tasks');
/** How soon a task that somebody just submitted appears. */
const IDLE_MS = 10_000;
const statuses = ['SUBMITTED', 'QUEUED', 'IN_PROGRESS', 'SUCCESS', 'FAILURE'];

export function TasksScreen() {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const names = useNames();
  const { data: models = [] } = useQuery(allModels);
  const pages = usePages({
    path: '/tasks',
    schema: taskList,
    filters,
    refreshEvery: (rows) => (rows.some(isLive) ? LIVE_MS : IDLE_MS),
  });
  return (
    <Page
      title={t('Video tasks')}
      description={t('Newest first. A task holds its price when it is submitted, and is charged when it is done.')}
    >
      <ListTable
        label={t('Video tasks')}
        pages={pages}
        keyOf={(row) => row.id}
        columns={taskColumns(names)}
        empty={
          <EmptyState icon="video" title={t('No video tasks')}>
            {t('Nothing matches these filters yet.')}
          </EmptyState>
        }
        tools={
          <FilterBar
            views="tasks"
            values={filters}
            onChange={(search) => void navigate({ search, replace: true })}
            filters={[
              {
                kind: 'choice',
                name: 'status',
                label: t('State'),
                choices: statuses.map((status) => [status, stateLabel(status)]),
              },
              { kind: 'choice', name: 'live', label: t('Running'), choices: [['true', t('running only')]] },
              { kind: 'choice', name: 'stuck', label: t('Trouble'), choices: [['true', t('stuck only')]] },
              { kind: 'exact', name: 'model', label: t('Model'), choices: models.map(({ id }) => id) },
              { kind: 'subject', name: 'account_id', label: t('Account'), of: 'account' },
              { kind: 'subject', name: 'channel_id', label: t('Channel'), of: 'channel' },
            ]}
          />
        }
      />
    </Page>
  );
}
