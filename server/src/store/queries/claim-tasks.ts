// Video tasks that it is time to ask about: when the first is due, and claims of due ones by one process.
import type { Reads, Store, Transaction } from '../store.ts';
import { type Lease, living } from './processes.ts';
import { claimRows } from './rows.ts';
import type { TaskRow } from './tasks.ts';

export interface Claim extends Lease {
  /** Milliseconds of this process's clock. */
  dueAt: number;
  /** How many more a channel may have; one that is not named may have `capacityPerChannel`. */
  capacity: ReadonlyMap<string, number>;
  capacityPerChannel: number;
}

/** When the first look is due; undefined when no task is open. Asked often, so it only reads. */
export async function firstPollAt(reads: Reads): Promise<number | undefined> {
  const first = await reads
    .selectFrom('tasks')
    .select('next_poll_at')
    .where('completed_at', 'is', null)
    .orderBy('next_poll_at')
    .limit(1)
    .executeTakeFirst();
  return first?.next_poll_at;
}

/** Looks that were planned by a clock that has been set back since come sooner by as much. */
export async function bringForward(store: Store, { after, byMs }: { after: number; byMs: number }): Promise<void> {
  await store.transaction((transaction) =>
    transaction
      .updateTable('tasks')
      .set((update) => ({ next_poll_at: update('next_poll_at', '-', byMs) }))
      .where('completed_at', 'is', null)
      .where('next_poll_at', '>', after)
      .execute(),
  );
}

/** Looked at to find tasks of channels that have capacity. */
const LOOK_AHEAD = 8;

/** Takes due tasks that nobody works on; each goes to one process only, and its version keeps out who had it before. */
export async function claimTasks(store: Store, claim: Claim): Promise<TaskRow[]> {
  return store.transaction(async (transaction) => {
    const due = dueTasks(transaction, claim)
      .orderBy('next_poll_at')
      .limit(claim.limit * LOOK_AHEAD);
    const ids = withCapacity(await due.execute(), claim);
    if (ids.length === 0) return [];
    return claimRows(store, transaction, {
      table: 'tasks',
      free: dueTasks(transaction, claim).where('id', 'in', ids),
      set: (task) => ({
        lease_owner: claim.owner,
        lease_until: claim.now + claim.leaseSeconds,
        version: task('version', '+', 1),
      }),
    });
  });
}

/** The oldest first, and of no channel more than it has capacity for. */
function withCapacity(
  due: readonly Pick<TaskRow, 'id' | 'channel_id'>[],
  { capacity, capacityPerChannel, limit }: Claim,
): string[] {
  const left = new Map(capacity);
  const taken = due.filter(({ channel_id }) => {
    const channel = channel_id ?? '';
    const rest = left.get(channel) ?? capacityPerChannel;
    left.set(channel, rest - 1);
    return rest > 0;
  });
  return taken.slice(0, limit).map(({ id }) => id);
}

function dueTasks(transaction: Transaction, { dueAt, now, silence, capacity }: Claim) {
  const due = transaction
    .selectFrom('tasks')
    .select(['id', 'channel_id'])
    .where('completed_at', 'is', null)
    .where('next_poll_at', '<=', dueAt)
    .where((where) =>
      where.or([
        where('lease_owner', 'is', null),
        where('lease_until', '<', now),
        where('lease_owner', 'not in', living(transaction, { now, silence })),
      ]),
    );
  const full = [...capacity].filter(([, rest]) => rest <= 0).map(([channel]) => channel);
  if (full.length === 0) return due;
  return due.where((where) => where.or([where('channel_id', 'is', null), where('channel_id', 'not in', full)]));
}
