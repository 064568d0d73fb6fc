// The columns of the list of video tasks.
import { Badge, Group, Text } from '@mantine/core';
import type { Task } from '#contract/tasks.ts';
import { StateBadge } from '../../components/badges.tsx';
import type { Column } from '../../components/data-table.tsx';
import { Money } from '../../components/money.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { TaskProgress } from '../../components/task-progress.tsx';
import { When } from '../../components/when.tsx';
import { isLive } from './api.ts';

interface Names {
  accounts: ReadonlyMap<string, string>;
  channels: ReadonlyMap<string, string>;
}

export function taskColumns({ accounts, channels }: Names): Column<Task>[] {
  return [
    {
      header: 'Made',
      render: (row) => (
        <PageLink to="/tasks/$id" params={{ id: row.id }}>
          <When at={row.created_at} exact />
        </PageLink>
      ),
    },
    { header: 'State', render: (row) => <TaskBadges task={row} /> },
    {
      header: 'Progress',
      render: (row) => <TaskProgress progress={row.progress} state={stateOf(row)} />,
    },
    {
      header: 'Model',
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
      header: 'Account, channel',
      wide: true,
      render: (row) => (
        <>
          <span className="cut">{accounts.get(row.account_id) ?? row.account_id}</span>
          <Text size="xs" c="dimmed" className="cut">
            {row.channel_id === null ? 'no channel' : (channels.get(row.channel_id) ?? row.channel_id)}
          </Text>
        </>
      ),
    },
    {
      header: 'Charge',
      align: 'right',
      render: (row) =>
        row.charge === null ? (
          <Text size="sm" c="dimmed" component="span">
            holds <Money amount={row.hold} />
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
          stuck
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
