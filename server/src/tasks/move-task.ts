// Changes a task that is not finished, and knows its own change again when the store could not say whether it was made.
import type { RequestRow } from '../store/ledger/operations.ts';
import { findTask, type TaskRow } from '../store/queries/tasks.ts';
import type { TaskDependencies } from './dependencies.ts';

export interface Move {
  /** As it is to be, one version later. */
  row: TaskRow;
  /** Its status changes in the eyes of callers. */
  isEvent: boolean;
  request: RequestRow | null;
}

/** What this process alone can have written with that version. */
const SIGNS = ['version', 'state', 'lease_owner', 'channel_id', 'key_id', 'upstream_id', 'next_poll_at'] as const;

/** False when somebody else has changed the task since it was read: then nothing was written. */
export async function moveTask({ store }: Pick<TaskDependencies, 'store'>, move: Move): Promise<boolean> {
  if ((await store.commit({ kind: 'move', ...move })) === 'moved') return true;
  // A commit whose answer was lost is sent again, and finds its own work.
  const stored = await findTask(store.reads, move.row.id);
  return stored !== undefined && SIGNS.every((name) => stored[name] === move.row[name]);
}
