// DELETE of a task by its owner: a live one is cancelled with its provider where that is possible, and its money released;
// one that the provider has finished meanwhile is charged first, and a finished one is only forgotten.
import { checkModelScope } from '../access/scopes.ts';
import type { ModelScope } from '../catalogue/visible-models.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { UpstreamError } from '../providers/upstream-error.ts';
import { unixSeconds } from '../shared/clock.ts';
import { changeFinishedTask, findOwnTask, type TaskRow } from '../store/queries/tasks.ts';
import { deleteArchived } from './content/archive-video.ts';
import { moveTask } from './move-task.ts';
import type { TaskParts } from './parts.ts';
import { judgeReport, type Verdict } from './poll/judge-report.ts';
import { askProvider, cancelUpstream, CANCELLED } from './poll/poll-task.ts';
import { placeOfTask, type TaskPlace } from './provider-call.ts';
import { failTask, succeedTask } from './settle-task.ts';
import { callsBack, changedTask } from './task.ts';
import { taskNotFound } from './task-not-found.ts';

/** The poller may move the task between our look and our word. */
const MOST_TRIES = 10;
/** Its owner waits meanwhile. */
const LOOK_MS = 5_000;
/** With these a provider says that it has no such task. */
const GONE = new Set([404, 410]);

/**
 * All tokens of an account see its tasks (contract 5). Test tokens reach no real provider, and a token whose scopes do not
 * reach the task's model neither cancels nor removes it.
 */
export async function removeTask(parts: TaskParts, owner: ModelScope, id: string): Promise<void> {
  const { accountId, mode } = owner;
  let found: Found | undefined;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const task = await findOwnTask(parts.store.reads, accountId, id);
    if (task === undefined) throw taskNotFound(id);
    if (mode === 'test' && task.mode === 'live') throw outOfReach(id);
    checkModelScope(parts.catalogue.current, owner, task.model);
    if (task.completed_at !== null) {
      await forget(parts, id, found === 'cancelled' && task.state === 'FAILURE');
      await deleteArchived(parts, id); // also one that was being made just now
      return;
    }
    const place = placeOfTask(parts, task);
    // Once: the provider is not called again because somebody else has moved the task.
    if (place !== undefined && task.upstream_id !== null) found ??= await endUpstream(parts, task, place);
    if (found === 'unknown') {
      if (await hide(parts, task)) return;
    } else if (typeof found === 'object' && place !== undefined) {
      await succeedTask(parts, task, { ...found, video: place.video });
    } else if ((await failTask(parts, task, CANCELLED)) === 'released') {
      return forget(parts, id, found === 'cancelled'); // the money may have been released by the poller, just before
    }
  }
  throw new GatewayError('overloaded', { message: 'The task is being changed. Retry.', retryAfter: 1 });
}

function outOfReach(id: string): GatewayError {
  const message = `The task "${id}" was made with a live API key. A test API key may read it, but not delete it.`;
  return new GatewayError('task_not_found', { message });
}

/** The poller may have heard of our cancel before we could say so: to its owner that is no failure of the provider. */
function forget(parts: TaskParts, id: string, isCancelled: boolean): Promise<void> {
  return changeFinishedTask(parts.store, id, {
    deleted_at: unixSeconds(parts.clock),
    ...(isCancelled && { error_code: CANCELLED.code, fail_reason: CANCELLED.reason }),
  });
}

/** The video is there and has its price; nothing will come of it, by our doing or not; or that is not known yet. */
type Found = Extract<Verdict, { kind: 'succeeded' }> | 'cancelled' | 'ended' | 'unknown';

/** A record that has succeeded is never deleted before its usage is read: asked first, and again when a cancel is refused. */
async function endUpstream(parts: TaskParts, task: TaskRow, place: TaskPlace): Promise<Found> {
  const before = await look(parts, task, place);
  if (before !== 'runs') return before;
  if (await cancelUpstream(parts, task, place)) return 'cancelled';
  const after = await look(parts, task, place);
  if (typeof after === 'object') return after;
  return after !== 'ended' && callsBack(task) ? 'unknown' : 'ended'; // what cannot be cancelled is made for nobody
}

async function look(parts: TaskParts, task: TaskRow, place: TaskPlace): Promise<Found | 'runs'> {
  try {
    const report = await askProvider(parts, { task, place, totalMs: LOOK_MS });
    const verdict = judgeReport(task, report, unixSeconds(parts.clock));
    if (verdict.kind === 'succeeded') return verdict;
    return report.status === 'queued' || report.status === 'in_progress' ? 'runs' : 'ended';
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    return GONE.has(error.facts.status ?? 0) ? 'ended' : 'unknown';
  }
}

/** Out of its owner's sight at once; the poller ends it, and its money, when the provider says what has come of it. */
function hide(parts: TaskParts, task: TaskRow): Promise<boolean> {
  const at = unixSeconds(parts.clock);
  const row = changedTask(task, { deleted_at: at, next_poll_at: parts.clock.now() }, at);
  return moveTask(parts, { row, isEvent: false, request: null });
}
