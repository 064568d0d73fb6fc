// Claims lines of batches for one process, with a bound over all processes.
import { sql } from 'kysely';
import type { Store, Transaction } from '../store.ts';
import { type LineRow, withoutWaiting } from './batch-lines.ts';
import { type Lease, living } from './processes.ts';

/** Batches that are asked for lines, for each line that may begin: some have none that is due. */
const LOOKED_AT = 2;

/** Of so many lines as this process wants. */
export interface LineClaim extends Lease {
  /** Milliseconds of this process's clock. */
  dueAt: number;
  /** Lines under way at the same time, over all processes: TOLLGATE_BATCH_CONCURRENCY. */
  most: number;
  /** Not of these batches. */
  except: readonly string[];
}

/** Due lines, from all running batches in turn. A line of a process that is gone is claimed again, with the next attempt. */
export async function claimLines(store: Store, claim: LineClaim): Promise<LineRow[]> {
  return withoutWaiting(store, async (transaction) => {
    // One process after another: they share one bound.
    if (store.dialect === 'postgres')
      await sql`select pg_advisory_xact_lock(hashtext('batch lines'))`.execute(transaction);
    const capacity = Math.min(claim.limit, claim.most - (await countRunning(transaction, claim)));
    if (capacity <= 0) return [];
    const batches = await runningBatches(transaction, claim);
    const found: Pick<LineRow, 'batch_id' | 'position'>[][] = [];
    for (const id of batches.slice(0, LOOKED_AT * capacity))
      found.push(await dueLines(transaction, id, claim, capacity));
    const chosen = Map.groupBy(interleave(found).slice(0, capacity), ({ batch_id }) => batch_id);
    const claimed: LineRow[] = [];
    for (const [batchId, lines] of chosen) {
      const rows = await transaction
        .updateTable('batch_lines')
        .set((update) => ({
          state: 'running' as const,
          owner: claim.owner,
          lease_until: claim.now + claim.leaseSeconds,
          attempt: update('attempt', '+', 1),
        }))
        .where('batch_id', '=', batchId)
        .where(
          'position',
          'in',
          lines.map(({ position }) => position),
        )
        .returningAll()
        .execute();
      claimed.push(...rows);
    }
    return claimed;
  });
}

/** The first of each, then the second of each. */
function interleave<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) => lists.flatMap((list) => list[index] ?? [])).flat();
}

async function runningBatches(transaction: Transaction, { now, except }: LineClaim): Promise<string[]> {
  let query = transaction
    .selectFrom('batches')
    .select('id')
    .where('ended_at', 'is', null)
    .where('state', '=', 'in_progress')
    .where('expires_at', '>', now);
  if (except.length > 0) query = query.where('id', 'not in', [...except]);
  const rows = await query.execute();
  // Where there are more batches than slots, each runs by chance.
  return rows
    .map(({ id }) => ({ id, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ id }) => id);
}

async function dueLines(
  transaction: Transaction,
  batchId: string,
  claim: LineClaim,
  limit: number,
): Promise<Pick<LineRow, 'batch_id' | 'position'>[]> {
  const lost = await transaction
    .selectFrom('batch_lines')
    .select(['batch_id', 'position'])
    .where('batch_id', '=', batchId)
    .where('state', '=', 'running')
    .where((where) =>
      where.or([where('lease_until', '<', claim.now), where('owner', 'not in', living(transaction, claim))]),
    )
    .limit(limit)
    .execute();
  if (lost.length >= limit) return lost;
  const waiting = await transaction
    .selectFrom('batch_lines')
    .select(['batch_id', 'position'])
    .where('batch_id', '=', batchId)
    .where('state', '=', 'waiting')
    .where('due_at', '<=', claim.dueAt)
    .orderBy('position')
    .limit(limit - lost.length)
    .execute();
  return [...lost, ...waiting];
}

/** Over all processes that live. */
async function countRunning(transaction: Transaction, claim: LineClaim): Promise<number> {
  const row = await transaction
    .selectFrom('batch_lines')
    .select(({ fn }) => fn.countAll<bigint | number>().as('count'))
    .where('state', '=', 'running')
    .where('lease_until', '>=', claim.now)
    .where('owner', 'in', living(transaction, claim))
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}
