// Who wanted the video, who makes it, and by when.
import type { ReactNode } from 'react';
import type { Task } from '#contract/tasks.ts';
import { t } from '../../i18n/t.ts';
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
    <Card title={t('Task')}>
      <Facts
        facts={[
          [
            t('Account'),
            <PageLink key="account" to="/accounts/$id" params={{ id: task.account_id }}>
              {accounts.get(task.account_id) ?? task.account_id}
            </PageLink>,
          ],
          [
            t('Token'),
            <PageLink key="token" to="/tokens/$id" params={{ id: task.token_id }}>
              {tokens.get(task.token_id) ?? task.token_id}
            </PageLink>,
          ],
          [
            t('Channel'),
            task.channel_id === null ? (
              t('None took it')
            ) : (
              <PageLink key="channel" to="/channels/$id" params={{ id: task.channel_id }}>
                {channels.get(task.channel_id) ?? task.channel_id}
              </PageLink>
            ),
          ],
          [t('Id at the provider'), <Mono key="upstream" text={task.upstream_id ?? '—'} />],
          // Only where it says more than the state that everybody sees.
          ...(task.state === task.status
            ? []
            : [[t('Internal state'), <Mono key="state" text={task.state} />] as [string, ReactNode]]),
          [t('Endpoint'), <Mono key="endpoint" text={task.endpoint} />],
          [t('Length'), task.seconds === null ? '—' : `${task.seconds} s`],
          [t('Size'), task.size ?? '—'],
          [t('Copy kept here'), task.archived ? t('Yes') : t('No')],
          [t('Created'), <When key="made" at={task.created_at} exact />],
          [t('Ended'), task.completed_at === null ? '—' : <When key="ended" at={task.completed_at} exact />],
          [t('Given up'), task.completed_at === null ? <When key="deadline" at={task.deadline} exact /> : '—'],
        ]}
      />
    </Card>
  );
}

function Mono({ text }: { text: string }) {
  return <span className="mono">{text}</span>;
}
