// Videos that were asked for with the tokens of the account, newest first.
import { Text } from '@mantine/core';
import { portalTaskList, type PortalTask } from '#contract/portal.ts';
import { t } from '../../i18n/t.ts';
import { StateBadge } from '../../components/badges.tsx';
import { type Column, ListTable } from '../../components/data-table.tsx';
import { Money } from '../../components/money.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState } from '../../components/states.tsx';
import { TaskProgress } from '../../components/task-progress.tsx';
import { When } from '../../components/when.tsx';
import { usePages } from '../../lib/lists.ts';
import { useCurrency, useTokenNames } from '../account.ts';
import { LIVE_MS, stateOf } from './task-state.ts';

export function TasksScreen() {
  const tokens = useTokenNames();
  const currency = useCurrency();
  const pages = usePages({
    path: '/tasks',
    schema: portalTaskList,
    refreshEvery: (rows) => (rows.some((row) => stateOf(row) === 'live') ? LIVE_MS : 30_000),
  });
  return (
    <Page title={t('Video tasks')} description={t('Videos take a while: each one is a task with a state.')}>
      <ListTable
        label={t('Video tasks')}
        pages={pages}
        keyOf={(row) => row.id}
        columns={columnsWith(tokens, currency)}
        empty={
          <EmptyState icon="video" title={t('No videos yet')}>
            {t('Videos that are asked for with a token of the account are listed here.')}
          </EmptyState>
        }
      />
    </Page>
  );
}

function columnsWith(tokens: ReadonlyMap<string, string>, currency: string): Column<PortalTask>[] {
  return [
    {
      header: t('When'),
      render: (row) => (
        <PageLink to="/tasks/$id" params={{ id: row.id }}>
          <When at={row.created_at} exact />
          <Text size="xs" c="dimmed" hiddenFrom="sm" component="span" display="block">
            {row.model}
          </Text>
        </PageLink>
      ),
    },
    { header: t('State'), render: (row) => <StateBadge state={row.status} /> },
    { header: t('Model'), wide: true, render: (row) => <span className="cut">{row.model}</span> },
    {
      header: t('Token'),
      wide: true,
      render: (row) => <span className="cut">{tokens.get(row.token_id) ?? row.token_id}</span>,
    },
    {
      header: t('Progress'),
      wide: true,
      render: (row) => <TaskProgress progress={row.progress} state={stateOf(row)} />,
    },
    {
      header: t('Charge, {currency}', { currency }),
      align: 'right',
      render: (row) => (row.charge === null ? '—' : <Money amount={row.charge} />),
    },
  ];
}
