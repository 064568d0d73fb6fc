// Video tasks as rows: found by their owner and listed; claim-tasks.ts claims those that are due. What changes a living
// task goes through the ledger (store/ledger); what is written here concerns only finished ones and claims.
import { sql } from 'kysely';
import type { Reads, Store } from '../store.ts';
import type { TaskEventsTable, TaskState, TasksTable } from '../tables.ts';
import { textMatches } from './name-matches.ts';
import { claimRows } from './rows.ts';
import { orderedIdsOfTimes } from './times-as-ids.ts';

export type TaskRow = TasksTable;
export type { TaskState };

/** A live task needs somebody when its submit was lost, its provider does not answer, or it is older than this. */
export interface Stuck {
  failures: number;
  madeBefore: number;
}

/** Failed questions in a row. */
const STUCK_FAILURES = 5;
/** Videos are minutes of work; queues of providers may be longer. */
const LATE_SECONDS = 3_600;

export function stuckSince(at: number): Stuck {
  return { failures: STUCK_FAILURES, madeBefore: at - LATE_SECONDS };
}

export interface TaskListing {
  accountId?: string | undefined;
  states?: readonly TaskState[] | undefined;
  model?: string | undefined;
  channelId?: string | undefined;
  tokenId?: string | undefined;
  /** Unix seconds of the submit: `from` is inside the range, `to` is not. */
  from?: number | undefined;
  to?: number | undefined;
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

/** What callers give for an id may be anything, and PostgreSQL fails on some of it: what cannot be an id is not looked for. */
const ID = /^[A-Za-z0-9_-]{1,100}$/;

export async function findTask(reads: Reads, id: string): Promise<TaskRow | undefined> {
  if (!ID.test(id)) return undefined;
  return reads.selectFrom('tasks').selectAll().where('id', '=', id).executeTakeFirst();
}

/** undefined for one that does not exist, that is somebody else's, or that its owner removed: nobody can tell which. */
export async function findOwnTask(reads: Reads, accountId: string, id: string): Promise<TaskRow | undefined> {
  if (!ID.test(id)) return undefined;
  return reads
    .selectFrom('tasks')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}

/** The id of the one that a request submitted. */
export async function findTaskOfRequest(reads: Reads, requestId: string): Promise<string | undefined> {
  const task = await reads.selectFrom('tasks').select('id').where('request_id', '=', requestId).executeTakeFirst();
  return task?.id;
}

/** By request, of those that submitted one. */
export async function taskStatesOf(reads: Reads, requestIds: readonly string[]): Promise<Map<string, TaskState>> {
  if (requestIds.length === 0) return new Map();
  const rows = await reads
    .selectFrom('tasks')
    .select(['request_id', 'state'])
    .where('request_id', 'in', [...requestIds])
    .execute();
  return new Map(rows.map(({ request_id, state }) => [request_id, state]));
}

/** Newest first by default: task ids begin with their time. */
export async function listTasks(reads: Reads, listing: TaskListing): Promise<TaskRow[]> {
  const { order = 'desc' } = listing;
  let query = reads.selectFrom('tasks').selectAll().orderBy('id', order).limit(listing.limit);
  if (listing.accountId !== undefined) query = query.where('account_id', '=', listing.accountId);
  if (listing.states !== undefined) query = query.where('state', 'in', [...listing.states]);
  if (listing.model !== undefined) query = query.where(textMatches('model', listing.model));
  if (listing.channelId !== undefined) query = query.where('channel_id', '=', listing.channelId);
  if (listing.tokenId !== undefined) query = query.where('token_id', '=', listing.tokenId);
  const { first, last } = orderedIdsOfTimes('task', listing);
  if (listing.from !== undefined) query = query.where('created_at', '>=', listing.from);
  if (listing.to !== undefined) query = query.where('created_at', '<', listing.to);
  if (first !== undefined) query = query.where('id', '>=', first);
  if (last !== undefined) query = query.where('id', '<', last);
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

/** Of one channel, or of all. */
export async function countLiveTasks(reads: Reads, channelId?: string): Promise<number> {
  const live = reads
    .selectFrom('tasks')
    .select(({ fn }) => fn.countAll<bigint | number>().as('count'))
    .where('completed_at', 'is', null);
  const row = await (channelId === undefined ? live : live.where('channel_id', '=', channelId)).executeTakeFirst();
  return Number(row?.count ?? 0);
}

/** Which of these ids are some task's already, on whatever channel. */
export async function knownUpstreamIds(reads: Reads, upstreamIds: readonly string[]): Promise<string[]> {
  if (upstreamIds.length === 0) return [];
  const rows = await reads
    .selectFrom('tasks')
    .select('upstream_id')
    .where('upstream_id', 'in', [...upstreamIds])
    .execute();
  return rows.flatMap(({ upstream_id }) => upstream_id ?? []);
}

/** Of a finished task: the provider gave a new link, the video is copied later, or the owner cancelled or removed it. */
export async function changeFinishedTask(
  store: Store,
  id: string,
  changes: Partial<Pick<TaskRow, 'result_url' | 'archive_at' | 'deleted_at' | 'error_code' | 'fail_reason'>>,
): Promise<void> {
  await store.transaction((transaction) =>
    transaction.updateTable('tasks').set(changes).where('id', '=', id).where('completed_at', 'is not', null).execute(),
  );
}

export type LostSubmit = Pick<TaskRow, 'id' | 'upstream_model' | 'sent_at' | 'sent'>;

/**
 * Submits of this time that may have been taken and have no id, over all channels: two of them may lead to one account.
 * Also those that are given up or removed by now.
 */
export async function listLost(reads: Reads, { from, to }: { from: number; to: number }): Promise<LostSubmit[]> {
  return reads
    .selectFrom('tasks')
    .select(['id', 'upstream_model', 'sent_at', 'sent'])
    .where('upstream_id', 'is', null)
    .where('sent_at', '>=', from)
    .where('sent_at', '<=', to)
    .execute();
}

export interface ArchiveClaim {
  channelIds: readonly string[];
  /** Finished since then; the rest by the database's clock. */
  since: number;
  now: number;
  leaseSeconds: number;
}

/** By the time of their end alone: by state or channel, the database would read all that were ever made. */
export function unarchived(reads: Reads, claim: ArchiveClaim) {
  return reads
    .selectFrom('tasks')
    .select('id')
    .where(sql`state || ''`, '=', 'SUCCESS')
    .where('archived', '=', 0)
    .where('deleted_at', 'is', null)
    .where(sql`channel_id || ''`, 'in', [...claim.channelIds])
    .where('completed_at', '>=', claim.since)
    .where('archive_at', '<=', claim.now);
}

/** One finished task that is not copied yet and that is due, put off for all others as long as the lease lasts. */
export async function claimUnarchived(store: Store, claim: ArchiveClaim): Promise<TaskRow | undefined> {
  if (claim.channelIds.length === 0) return undefined;
  const [row] = await store.transaction((transaction) =>
    claimRows(store, transaction, {
      table: 'tasks',
      free: unarchived(transaction, claim).orderBy('completed_at').limit(1),
      set: (task) => ({
        archive_at: claim.now + claim.leaseSeconds,
        archive_tries: task('archive_tries', '+', 1),
      }),
    }),
  );
  return row;
}

/** False when its owner has removed it meanwhile: then there is nothing to keep. */
export async function markArchived(store: Store, id: string): Promise<boolean> {
  const { numUpdatedRows } = await store.transaction((transaction) =>
    transaction
      .updateTable('tasks')
      .set({ archived: 1 })
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst(),
  );
  return numUpdatedRows > 0n;
}
