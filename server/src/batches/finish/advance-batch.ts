// Takes a batch one step on: from checked to running, from running to its end. Each step may be taken again after a crash.
import { unixSeconds } from '../../shared/clock.ts';
import { makeOrderedId } from '../../shared/ids.ts';
import { forgetLines, openLines } from '../../store/queries/batch-lines.ts';
import { type BatchRow, changeBatch, findBatch, removeBatch } from '../../store/queries/batches.ts';
import type { BatchDependencies } from '../batch-dependencies.ts';
import { releaseLines } from '../create/hold-lines.ts';
import { endOpenLines } from './end-open-lines.ts';
import { writeOutputs } from './write-outputs.ts';

type LookDependencies = Pick<BatchDependencies, 'store' | 'files' | 'clock' | 'creating'>;

const PAGE = 1_000;

/** True when there is more to do at once. `silence`: a process silent for longer has lost its lines. */
export async function advanceBatch(dependencies: LookDependencies, batch: BatchRow, silence: number): Promise<boolean> {
  switch (batch.state) {
    case 'holding':
      if (!dependencies.creating.has(batch.id)) await takeBack(dependencies, batch);
      return false;
    case 'validating':
      return begin(dependencies, batch);
    case 'in_progress':
      return lookAfterRunning(dependencies, batch, silence);
    case 'cancelling':
      return (
        (await endOpenLines(dependencies, { batchId: batch.id, outcome: 'cancelled', silence })) &&
        finish(dependencies, batch)
      );
    case 'finalizing':
      return finish(dependencies, batch);
    default:
      return false;
  }
}

/** Its process was gone before all of its money was held: nobody has heard of it. */
async function takeBack({ store, clock, files }: LookDependencies, batch: BatchRow): Promise<void> {
  const now = await findBatch(store.reads, batch.id);
  if (now?.state !== 'holding') return; // this process has made it since it was read
  for (let after = -1; ;) {
    const lines = await openLines(store.reads, batch.id, { after, limit: PAGE });
    await releaseLines(
      { store, clock },
      batch.id,
      lines.map(({ custom_id }) => ({ customId: custom_id })),
    );
    const last = lines.at(-1);
    if (last === undefined) break;
    after = last.position;
  }
  await removeBatch(store, batch.id);
  if (batch.style === 'anthropic') await files.blobs.remove(batch.input_blob);
}

async function begin({ store, clock }: LookDependencies, batch: BatchRow): Promise<boolean> {
  const at = unixSeconds(clock);
  if (batch.errors !== null) {
    await changeBatch(store, batch.id, {
      from: ['validating'],
      set: { state: 'failed', failed_at: at, ended_at: at, lease_owner: null },
    });
    return false;
  }
  await changeBatch(store, batch.id, { from: ['validating'], set: { state: 'in_progress', in_progress_at: at } });
  return true;
}

async function lookAfterRunning(dependencies: LookDependencies, batch: BatchRow, silence: number): Promise<boolean> {
  const { store, clock } = dependencies;
  const isLate = (await store.now()) >= batch.expires_at;
  if (isLate && !(await endOpenLines(dependencies, { batchId: batch.id, outcome: 'expired', silence }))) return false;
  if ((await openLines(store.reads, batch.id, { limit: 1 })).length > 0) return false;
  const set = { state: 'finalizing', finalizing_at: unixSeconds(clock) } as const;
  return changeBatch(store, batch.id, { from: ['in_progress'], set });
}

async function finish(dependencies: LookDependencies, batch: BatchRow): Promise<boolean> {
  const { store, clock, files } = dependencies;
  const { id, style } = batch;
  const named = {
    output_file_id: batch.output_file_id ?? makeOrderedId('file', clock.now()),
    error_file_id: batch.error_file_id ?? makeOrderedId('file', clock.now()),
  };
  if (batch.output_file_id === null) await changeBatch(store, id, { from: [batch.state], set: named });
  const { outputFileId, errorFileId, ...counts } = await writeOutputs(dependencies, { ...batch, ...named });
  const at = unixSeconds(clock);
  await changeBatch(store, id, {
    from: [batch.state],
    set: {
      ...counts,
      ...endOf(batch, counts.expired, at),
      output_file_id: outputFileId,
      error_file_id: errorFileId,
      ended_at: at,
      lease_owner: null,
    },
  });
  if (style === 'anthropic') await files.blobs.remove(batch.input_blob);
  while (await forgetLines(store, id));
  return false;
}

function endOf(batch: BatchRow, expired: number, at: number): Partial<BatchRow> {
  if (batch.cancelling_at !== null) return { state: 'cancelled', cancelled_at: at };
  return expired > 0 ? { state: 'expired', expired_at: at } : { state: 'completed', completed_at: at };
}
