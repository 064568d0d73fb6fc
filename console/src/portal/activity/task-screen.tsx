// One video task, with the video once it is done.
import { Grid, Group, Stack, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type PortalTask, portalTask } from '#contract/portal.ts';
import { t } from '../../i18n/t.ts';
import { StateBadge } from '../../components/badges.tsx';
import { Card } from '../../components/card.tsx';
import { CopyIcon } from '../../components/code-block.tsx';
import { Facts } from '../../components/facts.tsx';
import { Money } from '../../components/money.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { Page } from '../../components/page.tsx';
import { Notice, Shown } from '../../components/states.tsx';
import { TaskProgress } from '../../components/task-progress.tsx';
import { VideoPlayer } from '../../components/video-player.tsx';
import { When } from '../../components/when.tsx';
import { apiUrl } from '../../lib/addresses.ts';
import { callApi } from '../../lib/api-client.ts';
import { useCurrency, useTokenNames } from '../account.ts';
import { LIVE_MS, stateOf } from './task-state.ts';

const taskQuery = (id: string) =>
  queryOptions({
    queryKey: ['/tasks', 'one', id],
    queryFn: ({ signal }) => callApi('GET', `/tasks/${encodeURIComponent(id)}`, { schema: portalTask, signal }),
    refetchInterval: ({ state: { data } }) => (data !== undefined && stateOf(data) === 'live' ? LIVE_MS : false),
  });

export function TaskScreen() {
  const { id = '' } = useParams({ strict: false });
  return <Shown query={useQuery(taskQuery(id))}>{(task) => <TaskPage task={task} />}</Shown>;
}

function TaskPage({ task }: { task: PortalTask }) {
  const tokens = useTokenNames();
  const currency = useCurrency();
  return (
    <Page
      title={task.model}
      above={<PageLink to="/tasks">{t('Video tasks')}</PageLink>}
      description={
        <Group gap={8} component="span">
          <span className="mono long">{task.id}</span>
          <CopyIcon text={task.id} label={t('Copy the id')} />
        </Group>
      }
    >
      <Grid>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Card title={t('Video')}>
            <VideoOf task={task} />
          </Card>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Card title={t('Task')}>
            <Facts
              facts={[
                [t('State'), <StateBadge key="state" state={task.status} />],
                [
                  t('Charge'),
                  task.charge === null ? (
                    t('When it is done')
                  ) : (
                    <span key="charge">
                      <Money amount={task.charge} /> {currency}
                    </span>
                  ),
                ],
                [t('Token'), tokens.get(task.token_id) ?? task.token_id],
                [t('Mode'), <StateBadge key="mode" state={task.mode} />],
                [t('Length'), task.seconds === null ? '—' : `${task.seconds} s`],
                [t('Size'), task.size ?? '—'],
                [t('Created'), <When key="made" at={task.created_at} exact />],
                [t('Ended'), task.completed_at === null ? '—' : <When key="ended" at={task.completed_at} exact />],
              ]}
            />
          </Card>
        </Grid.Col>
      </Grid>
    </Page>
  );
}

function VideoOf({ task }: { task: PortalTask }) {
  const state = stateOf(task);
  if (state === 'done') {
    const source = `${apiUrl}/tasks/${encodeURIComponent(task.id)}/content`;
    return <VideoPlayer source={source} fileName={`${task.id}.mp4`} />;
  }
  if (state === 'failed') return <Notice color="red">{task.fail_reason ?? t('No reason was given.')}</Notice>;
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        {t('The video is being made. This page shows it when it is done.')}
      </Text>
      <TaskProgress progress={task.progress} state="live" />
    </Stack>
  );
}
