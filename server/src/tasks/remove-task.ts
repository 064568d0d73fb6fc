// DELETE of a task by its owner: a live one is cancelled with its provider where that is possible, and its money released;
// a finished one is only forgotten.
import { GatewayError } from '../errors/gateway-error.ts';
import { unixSeconds } from '../shared/clock.ts';
import { changeFinishedTask, findOwnTask } from '../store/queries/tasks.ts';
import { deleteArchived } from './content/archive-video.ts';
import type { TaskParts } from './parts.ts';
import { cancelUpstream } from './poll/poll-task.ts';
import { placeOfTask } from './provider-call.ts';
import { failTask } from './settle-task.ts';
import { taskNotFound } from './task-not-found.ts';

/** The poller may move the task between our look and our word. */
const MOST_TRIES = 10;
const CANCELLED = { reason: 'The task was cancelled.', code: 'task_cancelled', isRemoved: true };

export async function removeTask(parts: TaskParts, accountId: string, id: string): Promise<void> {
  let isCancelled = false;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const task = await findOwnTask(parts.store.reads, accountId, id);
    if (task === undefined) throw taskNotFound(id);
    if (task.completed_at !== null) {
      await changeFinishedTask(parts.store, id, { deleted_at: unixSeconds(parts.clock) });
      if (task.archived === 1) await deleteArchived(parts, id);
      return;
    }
    const place = placeOfTask(parts, task);
    if (place !== undefined && !isCancelled) {
      isCancelled = true;
      await cancelUpstream(parts, task, place);
    }
    const ended = await failTask(parts, task, CANCELLED);
    if (ended === 'released') return;
  }
  throw new GatewayError('overloaded', { message: 'The task is being changed. Retry.', retryAfter: 1 });
}
