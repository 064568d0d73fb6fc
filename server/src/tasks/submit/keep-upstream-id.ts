// Writes the provider's id into a task that others took for lost while the provider was answering.
import { unixSeconds } from '../../shared/clock.ts';
import type { RequestRow } from '../../store/ledger/operations.ts';
import { findTask, type TaskRow } from '../../store/queries/tasks.ts';
import { moveTask } from '../move-task.ts';
import type { TaskDependencies } from '../dependencies.ts';
import { canMove, changedTask } from '../task.ts';

/** The poller may move the task between our look and our word. */
const MOST_TRIES = 10;

export interface Answered {
  id: string;
  upstreamId: string;
  handle: string | null;
  /** The submit's line in the log. */
  request: RequestRow;
}

/** Resolves with the row as it is then: without the id only when the task is finished, or when others keep changing the row. */
export async function keepUpstreamId(
  dependencies: Pick<TaskDependencies, 'store' | 'clock' | 'pollMs'>,
  { id, upstreamId, handle, request }: Answered,
): Promise<TaskRow | undefined> {
  let stored = await findTask(dependencies.store.reads, id);
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    // An id that was found by a search gives way: the provider gave us this one.
    if (stored === undefined || stored.completed_at !== null || stored.upstream_id === upstreamId) return stored;
    const state = canMove(stored.state, 'SUBMITTED') ? 'SUBMITTED' : stored.state;
    const next_poll_at = dependencies.clock.now() + dependencies.pollMs;
    const free = { lease_owner: null, lease_until: null, next_poll_at, poll_failures: 0, refused_since: null };
    const row = changedTask(
      stored,
      { state, upstream_id: upstreamId, handle, ...free },
      unixSeconds(dependencies.clock),
    );
    if (await moveTask(dependencies, { row, isEvent: false, request })) return row;
    stored = await findTask(dependencies.store.reads, id);
  }
  return stored;
}
