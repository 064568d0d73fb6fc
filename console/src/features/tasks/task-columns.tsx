// The columns of the list of video tasks.
import { Badge, Group, Text } from '@mantine/core';
import type { Task } from '#contract/tasks.ts';
import { rich } from '../../i18n/rich.ts';
import { t } from '../../i18n/t.ts';
import { StateBadge } from '../../components/badges.tsx';
import type { Column } from '../../components/data-table.tsx';
import { Money } from '../../components/money.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { TaskProgress } from '../../components/task-progress.tsx';
import { When } from '../../components/when.tsx';
import type { Names } from '../../lib/names.ts';
import { isLive } from './api.ts';

export function taskColumns(names: Names): Column<Task>[] {
  return [
    {
      header: t('Created'),
      render: (row) => (
        <PageLink to="/tasks/$id" params={{ id: row.id }}>
          <When at={row.created_at} exact />
        </PageLink>
      ),
    },
    { header: t('State'), render: (row) => <TaskBadges task={row} /> },
    {
      header: t('Progress'),
      render: (row) => <TaskProgress progress={row.progress} state={stateOf(row)} />,
    },
    {
      header: t('Model'),
      render: (row) => (
        <>
          <span className="cut">{row.model}</span>
          {row.fail_reason !== null && (
            <Text size="xs" c="dimmed" className="cut" title={row.fail_reason}>
              {row.fail_reason}
            </Text>
          )}
        </>
      ),
    },
    {
      header: t('Account, channel'),
      wide: true,
      render: (row) => (
        <>
          <span className="cut">{names.get(row.account_id) ?? row.account_id}</span>
          <Text size="xs" c="dimmed" className="cut">
            {row.channel_id === null ? t('no channel') : (names.get(row.channel_id) ?? row.channel_id)}
          </Text>
        </>
      ),
    },
    {
      header: t('Charge'),
      align: 'right',
      render: (row) =>
        row.charge === null ? (
          <Text size="sm" c="dimmed" component="span">
            {rich('holds {amount}', { amount: <Money amount={row.hold} /> })}
          </Text>
        ) : (
          <Money amount={row.charge} />
        ),
    },
  ];
}

export function TaskBadges({ task }: { task: Task }) {
  return (
    <Group gap={6} wrap="nowrap">
      <StateBadge state={task.status} />
      {task.stuck !== null && (
        <Badge color="red" miw="max-content">
          {t('stuck')}
        </Badge>
      )}
      {task.mode === 'test' && <StateBadge state="test" />}
      {task.deleted_at !== null && <StateBadge state="removed" />}
    </Group>
  );
}

export function stateOf(task: Task): 'live' | 'done' | 'failed' {
  if (isLive(task)) return 'live';
  return task.status === 'SUCCESS' ? 'done' : 'failed';
}
