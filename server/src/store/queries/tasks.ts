// Video tasks as rows: found by their owner, listed, and claimed when it is time to ask about them. What changes a living
// task goes through the ledger (store/ledger); what is written here concerns only finished ones and claims.
import type { Reads, Store, Transaction } from '../store.ts';
import type { TaskEventsTable, TaskState, TasksTable } from '../tables.ts';

export type TaskRow = TasksTable;
export type { TaskState };

/** A live task needs somebody when its submit was lost, its provider does not answer, or it is older than this. */
export interface Stuck {
  failures: number;
  madeBefore: number;
}

export interface TaskListing {
  accountId?: string | undefined;
  states?: readonly TaskState[] | undefined;
  model?: string | undefined;
  channelId?: string | undefined;
  tokenId?: string | undefined;
  /** Only those that are not finished. */
  live?: boolean;
  /** Only live ones that need somebody: see `Stuck`. */
  stuck?: Stuck | undefined;
  /** Also those that their owner removed. */
  withDeleted?: boolean;
  order?: 'asc' | 'desc';
  /** Last id of the page before. */
  after?: string | undefined;
  limit: number;
}

export async function findTask(reads: Reads, id: string): Promise<TaskRow | undefined> {
  return reads.selectFrom('tasks').selectAll().where('id', '=', id).executeTakeFirst();
}

/** undefined for one that does not exist, that is somebody else's, or that its owner removed: nobody can tell which. */
export async function findOwnTask(reads: Reads, accountId: string, id: string): Promise<TaskRow | undefined> {
  return reads
    .selectFrom('tasks')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}

/** Newest first unless told otherwise: task ids begin with their time. */
export async function listTasks(reads: Reads, listing: TaskListing): Promise<TaskRow[]> {
  const { order = 'desc' } = listing;
  let query = reads.selectFrom('tasks').selectAll().orderBy('id', order).limit(listing.limit);
  if (listing.accountId !== undefined) query = query.where('account_id', '=', listing.accountId);
  if (listing.states !== undefined) query = query.where('state', 'in', [...listing.states]);
  if (listing.model !== undefined) query = query.where('model', '=', listing.model);
  if (listing.channelId !== undefined) query = query.where('channel_id', '=', listing.channelId);
  if (listing.tokenId !== undefined) query = query.where('token_id', '=', listing.tokenId);
  if (listing.live === true || listing.stuck !== undefined) query = query.where('completed_at', 'is', null);
  const { stuck } = listing;
  if (stuck !== undefined) {
    query = query.where((where) =>
      where.or([
        where('state', '=', 'SUBMIT_UNKNOWN'),
        where('poll_failures', '>=', stuck.failures),
        where('created_at', '<', stuck.madeBefore),
      ]),
    );
  }
  if (listing.withDeleted !== true) query = query.where('deleted_at', 'is', null);
  if (listing.after !== undefined) query = query.where('id', order === 'desc' ? '<' : '>', listing.after);
  return query.execute();
}

/** Of the named tasks, oldest first. */
export async function listTaskEvents(reads: Reads, taskIds: readonly string[]): Promise<Omit<TaskEventsTable, 'id'>[]> {
  if (taskIds.length === 0) return [];
  return reads
    .selectFrom('task_events')
    .select(['task_id', 'status', 'at'])
    .where('task_id', 'in', [...taskIds])
    .orderBy('id')
    .execute();
}

export async function countLiveTasks(reads: Reads): Promise<number> {
  const row = await reads
    .selectFrom('tasks')
    .select(({ fn }) => fn.countAll<bigint | number>().as('count'))
    .where('completed_at', 'is', null)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

export interface Claim {
  owner: string;
  /** Milliseconds of this process's clock, and seconds of the database's. */
  dueAt: number;
  now: number;
  leaseSeconds: number;
  /** A process silent for longer than this has lost its leases. */
  silence: number;
  /** Channels that have enough to do already. */
  except: readonly string[];
  limit: number;
}

/** Is it worth claiming? Asked often, so it only reads. */
export async function hasDueTasks(reads: Reads, dueAt: number): Promise<boolean> {
  const due = await reads
    .selectFrom('tasks')
    .select('id')
    .where('completed_at', 'is', null)
    .where('next_poll_at', '<=', dueAt)
    .limit(1)
    .executeTakeFirst();
  return due !== undefined;
}

/** Takes due tasks that nobody works on; each goes to one process only, and its version keeps out who had it before. */
export async function claimTasks(store: Store, claim: Claim): Promise<TaskRow[]> {
  return store.transaction(async (transaction) => {
    const due = dueTasks(transaction, claim);
    const rows = await (store.dialect === 'postgres' ? due.forUpdate().skipLocked() : due).execute();
    if (rows.length === 0) return [];
    return transaction
      .updateTable('tasks')
      .set((update) => ({
        lease_owner: claim.owner,
        lease_until: claim.now + claim.leaseSeconds,
        version: update('version', '+', 1),
      }))
      .where(
        'id',
        'in',
        rows.map(({ id }) => id),
      )
      .returningAll()
      .execute();
  });
}

function dueTasks(transaction: Transaction, { dueAt, now, silence, except, limit }: Claim) {
  const living = transaction
    .selectFrom('processes')
    .select('id')
    .where('heartbeat_at', '>=', now - silence);
  const due = transaction
    .selectFrom('tasks')
    .select('id')
    .where('completed_at', 'is', null)
    .where('next_poll_at', '<=', dueAt)
    .where((where) =>
      where.or([
        where('lease_owner', 'is', null),
        where('lease_until', '<', now),
        where('lease_owner', 'not in', living),
      ]),
    )
    .orderBy('next_poll_at')
    .limit(limit);
  if (except.length === 0) return due;
  return due.where((where) => where.or([where('channel_id', 'is', null), where('channel_id', 'not in', [...except])]));
}

/** Which upstream ids of a channel are somebody's already. */
export async function knownUpstreamIds(
  reads: Reads,
  channelId: string,
  upstreamIds: readonly string[],
): Promise<string[]> {
  if (upstreamIds.length === 0) return [];
  const rows = await reads
    .selectFrom('tasks')
    .select('upstream_id')
    .where('channel_id', '=', channelId)
    .where('upstream_id', 'in', [...upstreamIds])
    .execute();
  return rows.flatMap(({ upstream_id }) => upstream_id ?? []);
}

/** Of a finished task: the provider gave a new link, the video was copied, or the owner removed it. */
export async function changeFinishedTask(
  store: Store,
  id: string,
  changes: Partial<Pick<TaskRow, 'result_url' | 'archived' | 'deleted_at'>>,
): Promise<void> {
  await store.transaction((transaction) =>
    transaction.updateTable('tasks').set(changes).where('id', '=', id).where('completed_at', 'is not', null).execute(),
  );
}

/** Other submits to the same channel and model in this time whose outcome is not known either. */
export async function lostAround(
  reads: Reads,
  { task, from, to }: { task: TaskRow; from: number; to: number },
): Promise<number> {
  const row = await reads
    .selectFrom('tasks')
    .select(({ fn }) => fn.countAll<bigint | number>().as('count'))
    .where('channel_id', '=', task.channel_id)
    .where('model', '=', task.model)
    .where('state', 'in', ['SUBMITTING', 'SUBMIT_UNKNOWN'])
    .where('completed_at', 'is', null)
    .where('created_at', '>=', from)
    .where('created_at', '<=', to)
    .where('id', '!=', task.id)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

/** Finished since then on channels that archive, and not copied yet. */
export async function listUnarchived(
  reads: Reads,
  { channelIds, since, limit }: { channelIds: readonly string[]; since: number; limit: number },
): Promise<TaskRow[]> {
  if (channelIds.length === 0) return [];
  return reads
    .selectFrom('tasks')
    .selectAll()
    .where('state', '=', 'SUCCESS')
    .where('archived', '=', 0)
    .where('deleted_at', 'is', null)
    .where('channel_id', 'in', [...channelIds])
    .where('completed_at', '>=', since)
    .orderBy('completed_at')
    .limit(limit)
    .execute();
}
