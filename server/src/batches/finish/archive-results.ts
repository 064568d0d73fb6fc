// Forgets the results of message batches that ended long ago, as their vendor does.
import { unixSeconds } from '../../shared/clock.ts';
import { changeBatch, findBatch, oldResults } from '../../store/queries/batches.ts';
import type { BatchDependencies } from '../batch-dependencies.ts';

const KEPT_SECONDS = 29 * 24 * 3_600;

/** The row says so first: results that are gone are never promised. */
export async function archiveResults({
  store,
  files,
  clock,
}: Pick<BatchDependencies, 'store' | 'files' | 'clock'>): Promise<void> {
  for (const id of await oldResults(store.reads, (await store.now()) - KEPT_SECONDS)) {
    const row = await findBatch(store.reads, id);
    if (row === undefined) continue;
    await changeBatch(store, id, { from: [row.state], set: { archived_at: unixSeconds(clock) } });
    await files.blobs.remove(id);
  }
}
