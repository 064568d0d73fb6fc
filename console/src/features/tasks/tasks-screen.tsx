// Video tasks of every account, moving while one looks.
import { getRouteApi } from '@tanstack/react-router';
import { taskList } from '#contract/tasks.ts';
import { ListTable } from '../../components/data-table.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState } from '../../components/states.tsx';
import { useAccountNames, useChannelNames } from '../../lib/choices.ts';
import { usePages } from '../../lib/lists.ts';
import { isLive, LIVE_MS } from './api.ts';
import { taskColumns } from './task-columns.tsx';

const route = getRouteApi('/tasks');
/** How soon a task that somebody just submitted appears. */
const IDLE_MS = 10_000;
const statuses = ['SUBMITTED', 'QUEUED', 'IN_PROGRESS', 'SUCCESS', 'FAILURE'];

export function TasksScreen() {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const accounts = useAccountNames();
  const channels = useChannelNames();
  const pages = usePages({
    path: '/tasks',
    schema: taskList,
    filters,
    refreshEvery: (rows) => (rows.some(isLive) ? LIVE_MS : IDLE_MS),
  });
  return (
    <Page
      title="Video tasks"
      description="Newest first. A task holds its price when it is submitted, and is charged when it is done."
    >
      <ListTable
        label="Video tasks"
        pages={pages}
        keyOf={(row) => row.id}
        columns={taskColumns({ accounts, channels })}
        empty={
          <EmptyState icon="video" title="No video tasks">
            Nothing fits these filters yet.
          </EmptyState>
        }
        tools={
          <FilterBar
            values={filters}
            onChange={(search) => void navigate({ search, replace: true })}
            filters={[
              { kind: 'choice', name: 'status', label: 'State', choices: statuses.map((status) => [status, status]) },
              { kind: 'choice', name: 'live', label: 'Running', choices: [['true', 'running only']] },
              { kind: 'choice', name: 'stuck', label: 'Trouble', choices: [['true', 'stuck only']] },
              { kind: 'text', name: 'model', label: 'Model' },
              { kind: 'choice', name: 'account_id', label: 'Account', choices: [...accounts] },
              { kind: 'choice', name: 'channel_id', label: 'Channel', choices: [...channels] },
            ]}
          />
        }
      />
    </Page>
  );
}
