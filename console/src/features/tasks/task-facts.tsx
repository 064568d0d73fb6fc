// Who wanted the video, who makes it, and by when.
import type { Task } from '#contract/tasks.ts';
import { Card } from '../../components/card.tsx';
import { Facts } from '../../components/facts.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { When } from '../../components/when.tsx';
import { useAccountNames, useChannelNames, useTokenNames } from '../../lib/choices.ts';

export function TaskFacts({ task }: { task: Task }) {
  const accounts = useAccountNames();
  const tokens = useTokenNames();
  const channels = useChannelNames();
  return (
    <Card title="Task">
      <Facts
        facts={[
          [
            'Account',
            <PageLink key="account" to="/accounts/$id" params={{ id: task.account_id }}>
              {accounts.get(task.account_id) ?? task.account_id}
            </PageLink>,
          ],
          [
            'Token',
            <PageLink key="token" to="/tokens/$id" params={{ id: task.token_id }}>
              {tokens.get(task.token_id) ?? task.token_id}
            </PageLink>,
          ],
          [
            'Channel',
            task.channel_id === null ? (
              'None took it'
            ) : (
              <PageLink key="channel" to="/channels/$id" params={{ id: task.channel_id }}>
                {channels.get(task.channel_id) ?? task.channel_id}
              </PageLink>
            ),
          ],
          ['Id at the provider', <Mono key="upstream" text={task.upstream_id ?? '—'} />],
          ['Internal state', <Mono key="state" text={task.state} />],
          ['Endpoint', <Mono key="endpoint" text={task.endpoint} />],
          ['Length', task.seconds === null ? '—' : `${task.seconds} s`],
          ['Size', task.size ?? '—'],
          ['Copy kept here', task.archived ? 'Yes' : 'No'],
          ['Made', <When key="made" at={task.created_at} exact />],
          ['Ended', task.completed_at === null ? '—' : <When key="ended" at={task.completed_at} exact />],
          ['Given up', task.completed_at === null ? <When key="deadline" at={task.deadline} exact /> : '—'],
        ]}
      />
    </Card>
  );
}

function Mono({ text }: { text: string }) {
  return <span className="mono">{text}</span>;
}
