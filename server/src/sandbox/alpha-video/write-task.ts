// A task as the family's poll tells it.
import { randomUUID } from 'node:crypto';
import type { Call } from '../protocol.ts';
import { spoilUsage } from '../text/spoil-usage.ts';
import { writeVideoUrl } from '../video/result-link.ts';
import type { VideoStudio } from '../video/studio.ts';
import { changedAt, planTask, stateAt, type TaskState, type VideoTask } from '../video/task.ts';

/** A task that has expired is one that nobody knows any more. */
const words: Readonly<Record<TaskState, string>> = {
  queued: 'PENDING',
  running: 'RUNNING',
  succeeded: 'SUCCEEDED',
  failed: 'FAILED',
  'bare-failure': 'FAILED',
  blocked: 'FAILED',
  cancelled: 'CANCELED',
  expired: 'UNKNOWN',
};

const failures: Partial<Record<TaskState, { code: string; message: string }>> = {
  failed: { code: 'InternalError.Algo', message: 'Internal server error!' },
  blocked: { code: 'DataInspectionFailed', message: 'Output data may contain inappropriate content.' },
};

/** `stateLabel` takes the place of the true one. */
export function writeTask({ exchange, now }: Call, studio: VideoStudio, task: VideoTask, stateLabel?: string): object {
  const state = stateAt(task, now);
  if (state === 'expired') return writeUnknown(task.id);
  const url = state === 'succeeded' ? writeVideoUrl(exchange, studio, task) : undefined;
  const usage = state === 'succeeded' ? spoilUsage(task.usage, task.behaviour) : undefined;
  return {
    request_id: randomUUID(),
    output: {
      task_id: task.id,
      task_status: stateLabel ?? writeState(task, state),
      ...writeTimes(task, state, now),
      ...failures[state],
      ...(state === 'succeeded' ? { orig_prompt: task.prompt } : {}),
      ...(url === undefined ? {} : { video_url: url }),
    },
    ...(usage === undefined ? {} : { usage: task.behaviour.usageAsText ? JSON.stringify(usage) : usage }),
  };
}

export function writeUnknown(id: string): object {
  return { request_id: randomUUID(), output: { task_id: id, task_status: 'UNKNOWN' } };
}

export function writeState({ behaviour }: VideoTask, state: TaskState): string {
  return state === 'queued' && behaviour.stateWords === 'other' ? 'SUSPENDED' : words[state];
}

function writeTimes(task: VideoTask, state: TaskState, now: number): object {
  const start = Math.min(planTask(task).startsAt, now);
  return {
    submit_time: writeTime(task.createdAt),
    ...(state === 'queued' ? {} : { scheduled_time: writeTime(start) }),
    ...(state === 'queued' || state === 'running' ? {} : { end_time: writeTime(changedAt(task, now)) }),
  };
}

/** The provider's local time, eight hours ahead of UTC, and no word of that. */
function writeTime(at: number): string {
  return new Date(at + 8 * 3_600_000).toISOString().replace('T', ' ').replace('Z', '');
}
