// Which processes live, and which open holds belong to none of them. Times are the database's own, so that nodes whose
// clocks differ agree.
import type { Reads, Store } from '../store.ts';

const FORGET_SECONDS = 3_600;
/** A beat that was held up may be written after later ones, but not by so much: then the clock was set back. */
const LATE_SECONDS = 60;

/** Resolves with the database's time at its beginning. */
export async function heartbeat(store: Store, processId: string): Promise<number> {
  const now = await store.now();
  await store.transaction(async (transaction) => {
    await transaction
      .insertInto('processes')
      .values({ id: processId, started_at: now, heartbeat_at: now })
      .onConflict((conflict) =>
        conflict
          .column('id')
          .doUpdateSet({ heartbeat_at: now })
          .where((row) =>
            row.or([row('processes.heartbeat_at', '<', now), row('processes.heartbeat_at', '>', now + LATE_SECONDS)]),
          ),
      )
      .execute();
    await transaction
      .deleteFrom('processes')
      .where('heartbeat_at', '<', now - FORGET_SECONDS)
      .execute();
  });
  return now;
}

/** A process that stops cleanly has no holds left; one that does is treated like a dead one. */
export async function removeProcess(store: Store, processId: string): Promise<void> {
  await store.transaction((transaction) => transaction.deleteFrom('processes').where('id', '=', processId).execute());
}

interface Silence {
  /** By the database's clock. */
  now: number;
  /** A process that was silent for longer is gone, and what it had claimed is free. */
  silence: number;
}

/** What one process asks to work on, for a time. */
export interface Lease extends Silence {
  owner: string;
  leaseSeconds: number;
  limit: number;
}

/** Ids of those that live, for the condition of another query. */
export function living(reads: Reads, { now, silence }: Silence) {
  return reads
    .selectFrom('processes')
    .select('id')
    .where('heartbeat_at', '>=', now - silence);
}

export async function livingProcesses(reads: Reads, silence: Silence): Promise<string[]> {
  return (await living(reads, silence).execute()).map(({ id }) => id);
}

export async function orphanedHolds(
  reads: Reads,
  { now, silence, limit }: Silence & { limit: number },
): Promise<string[]> {
  const rows = await reads
    .selectFrom('holds')
    .select('id')
    // These wait for an upstream, not for a process.
    .where('id', 'not in', reads.selectFrom('background_calls').select('hold_id'))
    .where('task_id', 'is', null) // a task's hold ends with its task, whichever process made it
    .where((where) =>
      where.or([where('expires_at', '<', now), where('owner', 'not in', living(reads, { now, silence }))]),
    )
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}

/** What the calls of these holds had come to; null for those that wrote nothing down. */
export async function checkpointsOf(reads: Reads, holdIds: readonly string[]): Promise<Map<string, string | null>> {
  if (holdIds.length === 0) return new Map();
  const rows = await reads.selectFrom('holds').select(['id', 'checkpoint']).where('id', 'in', holdIds).execute();
  return new Map(rows.map((row) => [row.id, row.checkpoint]));
}
