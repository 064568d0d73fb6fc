// What came back: text, pictures, sound, or JSON, always as data and never as markup.
import { Group, Stack, Text } from '@mantine/core';
import { CodeBlock } from '../../components/code-block.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { EmptyState, ErrorState } from '../../components/states.tsx';
import { TaskProgress } from '../../components/task-progress.tsx';
import { VideoPlayer } from '../../components/video-player.tsx';
import { plural, t } from '../../i18n/t.ts';
import { ApiError } from '../../lib/api-error.ts';
import { formatMilliseconds } from '../../lib/format-time.ts';
import type { Result, Run } from './use-run.ts';

const MOST_JSON = 20_000;

const stepWords: Record<string, string> = {
  queued: t('queued //video'),
  in_progress: t('in progress //video'),
  completed: t('completed //video'),
  failed: t('failed //video'),
  fetched: t('the video is here'),
};

export function ResultView({ run }: { run: Run }) {
  const { busy, result, error, answered } = run;
  return (
    <Stack aria-live="polite" aria-busy={busy}>
      {error !== undefined && <ErrorState error={error} />}
      {error instanceof ApiError && error.requestId !== null && (
        <PageLink to="/requests/$id" params={{ id: error.requestId }}>
          {t('Why it failed')}
        </PageLink>
      )}
      {result !== undefined && <Shape result={result} />}
      {result === undefined && error === undefined && (
        <EmptyState icon="send" title={busy ? t('Waiting for the first byte') : t('The answer appears here')} />
      )}
      {answered !== undefined && (
        <Group gap="md">
          <Text size="sm" c="dimmed">
            {formatMilliseconds(answered.milliseconds)}
          </Text>
          {answered.requestId !== null && (
            <PageLink to="/requests/$id" params={{ id: answered.requestId }}>
              {t('Route, usage and charge')}
            </PageLink>
          )}
        </Group>
      )}
    </Stack>
  );
}

function Shape({ result }: { result: Result }) {
  return (
    <>
      {result.text !== undefined && (
        <Text className="long" style={{ whiteSpace: 'pre-wrap' }} data-testid="answer">
          {result.text}
        </Text>
      )}
      {result.images?.map((source, index) => (
        <img
          key={index}
          src={source}
          alt={t('Result {number}', { number: index + 1 })}
          style={{ maxWidth: '100%', borderRadius: 8 }}
        />
      ))}
      {result.audio !== undefined && <audio controls src={result.audio} aria-label={t('Spoken answer')} />}
      {result.task !== undefined && (
        <>
          <Group gap="sm">
            <Text size="sm">{stepWords[result.task.status] ?? result.task.status}</Text>
            <PageLink to="/tasks/$id" params={{ id: result.task.id }}>
              {t('View task')}
            </PageLink>
          </Group>
          <TaskProgress progress={result.task.progress} state={taskState(result.task.status)} />
          <ol className="video-steps" aria-label={t('Time line of the video')}>
            {result.steps?.map(({ status, milliseconds }) => (
              <li key={status}>
                <Text size="sm">
                  <span className="numeric">{formatMilliseconds(milliseconds)}</span> {stepWords[status] ?? status}
                </Text>
              </li>
            ))}
          </ol>
        </>
      )}
      {result.video !== undefined && <VideoPlayer source={result.video} fileName="video.mp4" />}
      {result.json !== undefined && <CodeBlock text={cut(JSON.stringify(result.json, null, 2))} label={t('Answer')} />}
    </>
  );
}

function taskState(status: string): 'live' | 'done' | 'failed' {
  if (status === 'failed') return 'failed';
  return status === 'completed' ? 'done' : 'live';
}

function cut(text: string): string {
  return text.length <= MOST_JSON
    ? text
    : `${text.slice(0, MOST_JSON)}\n… ${plural(text.length - MOST_JSON, '{count} more character', '{count} more characters')}`;
}
