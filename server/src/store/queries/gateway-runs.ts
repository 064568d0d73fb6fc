// When processes of the gateway ran. Times are the database's own, as those of heartbeats are.
import type { Reads, Store } from '../store.ts';

/** A little longer than usage is kept by default. */
const FORGET_SECONDS = 1200 * 86_400;

export async function noteRun(store: Store, processId: string, now: number): Promise<void> {
  await store.transaction(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('gateway_runs')
      .set({ seen_at: now })
      .where('id', '=', processId)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) return;
    await transaction.insertInto('gateway_runs').values({ id: processId, started_at: now, seen_at: now }).execute();
    await transaction
      .deleteFrom('gateway_runs')
      .where('seen_at', '<', now - FORGET_SECONDS)
      .execute();
  });
}

export interface Outage {
  from: number;
  to: number;
}

/** A process that is there is seen at least so often. */
export const SEEN_SECONDS = 30;
/** Shorter ones may be a beat that is late. */
const LEAST_SECONDS = 2 * SEEN_SECONDS;

/** Times inside the range, after the first run that is known, in which no process ran. */
export async function listOutages(
  reads: Reads,
  { from, to, now }: { from: number; to: number; now: number },
): Promise<Outage[]> {
  const { first } = await reads
    .selectFrom('gateway_runs')
    .select(({ fn }) => fn.min<number | null>('started_at').as('first'))
    .executeTakeFirstOrThrow();
  if (first === null) return [];
  const runs = await reads
    .selectFrom('gateway_runs')
    .select(['started_at', 'seen_at'])
    .where('seen_at', '>=', from - LEAST_SECONDS)
    .where('started_at', '<', to)
    .orderBy('started_at')
    .execute();
  const outages: Outage[] = [];
  const end = Math.min(to, now);
  let seen = Math.max(from, first);
  const add = (until: number): void => {
    if (until - seen > LEAST_SECONDS) outages.push({ from: seen, to: until });
  };
  for (const { started_at, seen_at } of runs) {
    add(Math.min(started_at, end));
    seen = Math.max(seen, seen_at);
  }
  add(end);
  return outages;
}
