// DELETE of a task by its owner: a live one is cancelled with its provider where that is possible, and its money released;
// one that the provider has finished meanwhile is charged first, and a finished one is only forgotten.
import { checkModelScope } from '../access/scopes.ts';
import type { ModelScope } from '../catalogue/visible-models.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { UpstreamError } from '../providers/upstream-error.ts';
import { unixSeconds } from '../shared/clock.ts';
import { changeFinishedTask, findOwnTask, type TaskRow } from '../store/queries/tasks.ts';
import { deleteArchived } from './content/archive-video.ts';
import { failTask, moveTask, succeedTask } from './settle-task.ts';
import type { TaskDependencies } from './dependencies.ts';
import { judgeReport, type Verdict } from './poll/judge-report.ts';
import { askProvider, CANCELLED } from './poll/poll-task.ts';
import { cancelUpstream, targetOfTask, type TaskTarget } from './provider-call.ts';
import { callsBack, taskNotFound } from './task.ts';

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
export async function removeTask(dependencies: TaskDependencies, owner: ModelScope, id: string): Promise<void> {
  const { accountId, mode } = owner;
  let found: Found | undefined;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const task = await findOwnTask(dependencies.store.reads, accountId, id);
    if (task === undefined) throw taskNotFound(id);
    if (mode === 'test' && task.mode === 'live') throw outOfReach(id);
    checkModelScope(dependencies.catalogue.current, owner, task.model);
    if (task.completed_at !== null) {
      await forget(dependencies, id, found === 'cancelled' && task.state === 'FAILURE');
      await deleteArchived(dependencies, id); // also one that was being made just now
      return;
    }
    const target = targetOfTask(dependencies, task);
    // Once: the provider is not called again because somebody else has moved the task.
    if (target !== undefined && task.upstream_id !== null) found ??= await endUpstream(dependencies, task, target);
    if (found === 'unknown') {
      if (await hide(dependencies, task)) return;
    } else if (typeof found === 'object' && target !== undefined) {
      await succeedTask(dependencies, task, { ...found, video: target.video });
    } else if ((await failTask(dependencies, task, CANCELLED)) === 'released') {
      return forget(dependencies, id, found === 'cancelled'); // the money may have been released by the poller, just before
    }
  }
  throw new GatewayError('overloaded', { message: 'The task is being changed. Retry.', retryAfter: 1 });
}

function outOfReach(id: string): GatewayError {
  const message = `The task "${id}" was made with a live API key. A test API key may read it, but not delete it.`;
  return new GatewayError('task_not_found', { message });
}

/** The poller may have heard of our cancel before we could say so: to its owner that is no failure of the provider. */
function forget(dependencies: TaskDependencies, id: string, isCancelled: boolean): Promise<void> {
  return changeFinishedTask(dependencies.store, id, {
    deleted_at: unixSeconds(dependencies.clock),
    ...(isCancelled && { error_code: CANCELLED.code, fail_reason: CANCELLED.reason }),
  });
}

/** The video is there and has its price; nothing will come of it, by our doing or not; or that is not known yet. */
type Found = Extract<Verdict, { kind: 'succeeded' }> | 'cancelled' | 'ended' | 'unknown';

/** A record that has succeeded is never deleted before its usage is read: asked first, and again when a cancel is refused. */
async function endUpstream(dependencies: TaskDependencies, task: TaskRow, target: TaskTarget): Promise<Found> {
  const before = await look(dependencies, task, target);
  if (before !== 'runs') return before;
  if (await cancelUpstream(dependencies, task, target)) return 'cancelled';
  const after = await look(dependencies, task, target);
  if (typeof after === 'object') return after;
  return after !== 'ended' && callsBack(task) ? 'unknown' : 'ended'; // what cannot be cancelled is made for nobody
}

async function look(dependencies: TaskDependencies, task: TaskRow, target: TaskTarget): Promise<Found | 'runs'> {
  try {
    const report = await askProvider(dependencies, { task, target, totalMs: LOOK_MS });
    const verdict = judgeReport(task, report, unixSeconds(dependencies.clock));
    if (verdict.kind === 'succeeded') return verdict;
    return report.status === 'queued' || report.status === 'in_progress' ? 'runs' : 'ended';
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    return GONE.has(error.facts.status ?? 0) ? 'ended' : 'unknown';
  }
}

/** Out of its owner's sight at once; the poller ends it, and its money, when the provider says what has come of it. */
async function hide(dependencies: TaskDependencies, task: TaskRow): Promise<boolean> {
  const { clock } = dependencies;
  const changes = { deleted_at: unixSeconds(clock), next_poll_at: clock.now() };
  return (await moveTask(dependencies, task, { changes })).isMoved;
}
