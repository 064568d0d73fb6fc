// Holds each video task of one round where its next step would begin, until all of the round are there; then the process
// dies as if by kill -9. Tasks of other rounds pass, so that one process finishes one round and dies in the next.
import type { LedgerOperation, LedgerResult } from '../../../server/src/store/ledger/operations.ts';
import type { Store } from '../../../server/src/store/store.ts';

/** Between any two steps of a task: held, being sent, taken, stored, seen, finished. */
export const TASK_POINTS = [
  'after-hold',
  'before-sent',
  'after-taken',
  'after-stored',
  'after-seen',
  'before-end',
  'after-end',
] as const;
export type TaskPoint = (typeof TASK_POINTS)[number];

/** The model of a task says at which point it is held. */
export const roundOf = (point: TaskPoint, name: string): string => `${point}.${name}`;

export function gatherTasks(store: Store, { point, count }: { point: TaskPoint; count: number }): Store {
  const held = new Set<string>();
  const reach = async (at: TaskPoint | undefined, task: { id: string; model: string } | undefined): Promise<void> => {
    if (at !== point || task === undefined || !task.model.startsWith(roundOf(point, ''))) return;
    held.add(task.id);
    if (held.size === count) process.kill(process.pid, 'SIGKILL');
    await new Promise(() => {});
  };
  return {
    ...store,
    async commit<O extends LedgerOperation>(operation: O): Promise<LedgerResult<O>> {
      const { before, after, task } = pointsOf(operation);
      await reach(before, task);
      const result = await store.commit(operation);
      await reach(after, task);
      return result;
    },
  };
}

interface Points {
  before?: TaskPoint;
  after?: TaskPoint;
  task?: { id: string; model: string } | undefined;
}

function pointsOf(operation: LedgerOperation): Points {
  if (operation.kind === 'hold') return { after: 'after-hold', task: operation.task };
  if (operation.kind === 'end') return { before: 'before-end', after: 'after-end', task: operation.task?.row };
  if (operation.kind !== 'move') return {};
  const { row: task } = operation;
  if (task.state === 'SUBMITTING') return { after: 'before-sent', task };
  if (task.state === 'SUBMITTED') return { before: 'after-taken', after: 'after-stored', task };
  return { after: 'after-seen', task };
}
