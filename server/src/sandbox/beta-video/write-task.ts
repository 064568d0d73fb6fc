// A task as the family's poll, list and callbacks tell it.
import type { Exchange } from '../http/exchange.ts';
import { spoilUsage } from '../text/spoil-usage.ts';
import { writeLastFrameUrl, writeVideoUrl } from '../video/result-link.ts';
import type { VideoStudio } from '../video/studio.ts';
import { changedAt, stateAt, type TaskState, type VideoTask } from '../video/task.ts';
import { writeRequestId } from './error.ts';

const words: Readonly<Record<TaskState, string>> = {
  queued: 'queued',
  running: 'running',
  succeeded: 'succeeded',
  failed: 'failed',
  'bare-failure': 'failed',
  blocked: 'failed',
  cancelled: 'cancelled',
  expired: 'expired',
};
/** Words that other versions of the service have used. */
const otherWords: Readonly<Record<string, string>> = {
  queued: 'pending',
  running: 'processing',
  cancelled: 'canceled',
};

const failures: Partial<Record<TaskState, { code: string; message: string }>> = {
  failed: { code: 'InternalServiceError', message: 'The service encountered an unexpected internal error.' },
  blocked: {
    code: 'OutputVideoSensitiveContentDetected',
    message: 'The request failed because the output video may contain sensitive information.',
  },
};

export type Telling = { exchange: Exchange; studio: VideoStudio; now: number; stateLabel?: string };

/** `stateLabel` takes the place of the true one. */
export function writeTask(task: VideoTask, { exchange, studio, now, stateLabel }: Telling): object {
  const state = stateAt(task, now);
  const failure = failures[state];
  const isDone = state === 'succeeded';
  const usage = isDone ? spoilUsage(task.usage, task.behaviour) : undefined;
  return {
    id: task.id,
    model: task.model,
    status: stateLabel ?? writeState(task, state),
    ...(failure === undefined ? {} : { error: { ...failure, message: `${failure.message} ${writeRequestId()}` } }),
    ...(isDone ? { error: null, content: writeContent(task, { exchange, studio }) } : {}),
    ...(usage === undefined ? {} : { usage: task.behaviour.usageAsText ? JSON.stringify(usage) : usage }),
    created_at: Math.floor(task.createdAt / 1000),
    updated_at: Math.floor(changedAt(task, now) / 1000),
    ...task.echo,
  };
}

function writeContent(task: VideoTask, { exchange, studio }: Pick<Telling, 'exchange' | 'studio'>): object {
  const url = writeVideoUrl(exchange, studio, task);
  return {
    ...(url === undefined ? {} : { video_url: url }),
    ...(task.wantsLastFrame ? { last_frame_url: writeLastFrameUrl(exchange, studio, task) } : {}),
  };
}

export function writeState({ behaviour }: VideoTask, state: TaskState): string {
  const word = words[state];
  return behaviour.stateWords === 'other' ? (otherWords[word] ?? word) : word;
}
