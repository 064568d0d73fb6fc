// One video task: how far it is, what happened to it, the video, what it cost, and which webhooks were called.
import { Grid, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Task } from '#contract/tasks.ts';
import { t } from '../../i18n/t.ts';
import { Card } from '../../components/card.tsx';
import { CodeBlock, CopyIcon } from '../../components/code-block.tsx';
import { Facts } from '../../components/facts.tsx';
import { Money } from '../../components/money.tsx';
import { PageButton, PageLink } from '../../components/page-link.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState, Notice, Shown } from '../../components/states.tsx';
import { TaskProgress } from '../../components/task-progress.tsx';
import { VideoPlayer } from '../../components/video-player.tsx';
import { taskQuery, videoAddress } from './api.ts';
import { Deliveries } from './deliveries.tsx';
import { stuckLabels } from './stuck-labels.ts';
import { stateOf, TaskBadges } from './task-columns.tsx';
import { TaskFacts } from './task-facts.tsx';
import { TaskHistory } from './task-history.tsx';
import { useCurrency } from '../../lib/session.ts';

const route = getRouteApi('/tasks/$id');

export function TaskScreen() {
  const { id } = route.useParams();
  return <Shown query={useQuery(taskQuery(id))}>{(task) => <TaskPage task={task} />}</Shown>;
}

function TaskPage({ task }: { task: Task }) {
  return (
    <Page
      title={task.model}
      above={<PageLink to="/tasks">{t('Video tasks')}</PageLink>}
      description={
        <Group gap={8} component="span">
          <span className="mono">{task.id}</span>
          <CopyIcon text={task.id} label={t('Copy the id')} />
        </Group>
      }
      actions={
        <>
          <PageButton to="/requests/$id" params={{ id: task.request_id }} variant="default">
            {t('View submit request')}
          </PageButton>
          <PageButton to="/ledger" search={{ task_id: task.id }} variant="default">
            {t('View ledger entries')}
          </PageButton>
        </>
      }
    >
      {task.stuck !== null && <Notice color="red">{stuckLabels[task.stuck]}.</Notice>}
      <Grid>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack>
            <Card title={t('State')}>
              <Stack aria-live="polite">
                <TaskBadges task={task} />
                <TaskProgress progress={task.progress} state={stateOf(task)} />
                {task.fail_reason !== null && (
                  <Notice color="red">
                    {task.fail_reason}
                    {task.error_code !== null && <span className="mono"> ({task.error_code})</span>}
                  </Notice>
                )}
                <TaskHistory task={task} />
              </Stack>
            </Card>
            <Card title={t('Video')}>
              {task.status === 'SUCCESS' ? (
                <VideoPlayer source={videoAddress(task.id)} fileName={`${task.id}.mp4`} />
              ) : (
                <EmptyState
                  icon="video"
                  title={stateOf(task) === 'live' ? t('Not made yet') : t('No video was made')}
                />
              )}
            </Card>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack>
            <TaskCost task={task} />
            <TaskFacts task={task} />
          </Stack>
        </Grid.Col>
      </Grid>
      <Deliveries taskId={task.id} />
    </Page>
  );
}

function TaskCost({ task }: { task: Task }) {
  const currency = useCurrency();
  return (
    <Card title={t('What it cost')}>
      <Stack>
        <Text fz={28} fw={650} lh={1.1}>
          {task.charge === null ? (
            '—'
          ) : (
            <>
              <Money amount={task.charge} /> {currency}
            </>
          )}
        </Text>
        {task.arithmetic !== null && <CodeBlock text={task.arithmetic} label={t('Arithmetic of the charge')} />}
        <Facts facts={[[t('Held at the submit'), <Money key="hold" amount={task.hold} />]]} />
        {task.charge === null && (
          <Text size="sm" c="dimmed">
            {t('Charged when it is done; the rest of the hold is given back.')}
          </Text>
        )}
      </Stack>
    </Card>
  );
}
