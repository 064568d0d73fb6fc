// Makes a batch: its row, its lines, the money of its lines, and then it is there for everybody to see. A crash before that
// leaves a row that nobody sees, which the engine takes back with its holds.
import type { Principal } from '../../access/principal.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { unixSeconds } from '../../shared/clock.ts';
import { makeOrderedId } from '../../shared/ids.ts';
import { addLines } from '../../store/queries/batch-lines.ts';
import { addBatch, type BatchRow, changeBatch, removeBatch } from '../../store/queries/batches.ts';
import type { BatchDependencies } from '../batch-dependencies.ts';
import { type BatchPlan, newLine } from './batch-plan.ts';
import { holdLines, releaseLines, requireMoney } from './hold-lines.ts';

export interface NewBatch extends Pick<
  BatchRow,
  'style' | 'endpoint' | 'input_file_id' | 'headers' | 'completion_window' | 'metadata' | 'output_seconds'
> {
  principal: Principal;
  /** The key of the blob with the input, by the batch's id. */
  inputBlob(id: string): string;
}

const WINDOW_SECONDS = 24 * 3_600;
const LEASE_SECONDS = 600;
const PREFIXES = { openai: 'batch', anthropic: 'msgbatch' } as const;

/** Throws 402 before anything runs. A plan with problems becomes a batch that fails. */
export async function startBatch(
  dependencies: BatchDependencies,
  { principal, inputBlob, ...facts }: NewBatch,
  { lines, problems }: BatchPlan,
  id = newBatchId(dependencies, facts.style),
): Promise<BatchRow> {
  const { store, clock, owner, creating } = dependencies;
  const at = unixSeconds(clock);
  const isGood = problems.length === 0;
  const row: BatchRow = {
    ...facts,
    id,
    account_id: principal.accountId,
    token_id: principal.tokenId,
    mode: principal.mode,
    input_blob: inputBlob(id),
    state: isGood ? 'holding' : 'validating',
    total: isGood ? lines.length : 0,
    succeeded: 0,
    errored: 0,
    cancelled: 0,
    expired: 0,
    errors: isGood ? null : JSON.stringify(problems),
    usage: null,
    output_file_id: null,
    error_file_id: null,
    created_at: at,
    expires_at: at + WINDOW_SECONDS,
    in_progress_at: null,
    finalizing_at: null,
    completed_at: null,
    failed_at: null,
    expired_at: null,
    cancelling_at: null,
    cancelled_at: null,
    ended_at: null,
    deleted_at: null,
    archived_at: null,
    lease_owner: isGood ? owner : null,
    lease_until: isGood ? (await store.now()) + LEASE_SECONDS : null,
  };
  creating.add(id);
  try {
    if (isGood) await requireMoney(dependencies, row, lines);
    await addBatch(store, row);
    if (!isGood) return row;
    const now = clock.now();
    await addLines(
      store,
      lines.map((line, position) => newLine(id, position, line, now)),
    );
    try {
      await holdLines(dependencies, row, lines);
    } catch (error) {
      // Where the store fails here, the row stays, and the engine takes the batch back.
      await releaseLines(dependencies, id, lines);
      await removeBatch(store, id);
      throw error;
    }
    const made = await changeBatch(store, id, { from: ['holding'], set: { state: 'validating', lease_owner: null } });
    if (!made) {
      // Another process took this one for dead and took the batch back.
      await releaseLines(dependencies, id, lines);
      throw new GatewayError('overloaded');
    }
    return { ...row, state: 'validating' };
  } finally {
    creating.delete(id);
    dependencies.wake();
  }
}

export function newBatchId({ clock }: Pick<BatchDependencies, 'clock'>, style: BatchRow['style']): string {
  return makeOrderedId(PREFIXES[style], clock.now());
}
