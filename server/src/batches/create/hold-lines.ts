// Holds what every line may cost, all or nothing (contract-2 8). Each line has a hold of its own, so that each is charged or
// given back by itself; they carry the batch's id and outlive the process.
import { tooLow } from '../../billing/ledger.ts';
import { unixSeconds } from '../../shared/clock.ts';
import type { HoldRow } from '../../store/ledger/operations.ts';
import type { BatchRow } from '../../store/queries/batches.ts';
import { leastMoney } from '../../store/queries/free-money.ts';
import type { BatchDependencies } from '../batch-dependencies.ts';
import { type PlannedLine, requestIdOf } from './batch-plan.ts';

type HoldDependencies = Pick<BatchDependencies, 'store' | 'clock' | 'owner'>;

/** Holds of one group commit: other requests wait for no more than these. */
const AT_ONCE = 100;
/** Behind the end of the batch, by when all of them have ended. */
const MARGIN_SECONDS = 7 * 24 * 3_600;

/** Throws 402, and then nothing is held. */
export async function holdLines(
  dependencies: HoldDependencies,
  batch: BatchRow,
  lines: readonly PlannedLine[],
): Promise<void> {
  const { store, clock } = dependencies;
  const at = unixSeconds(clock);
  const amount = lines.reduce((sum, line) => sum + line.estimate, 0n);
  const asked = { tokenId: batch.token_id, mode: batch.mode, amount, at };
  // Before anything is held, so that a batch without money does not take it from other requests for a moment.
  const least = await leastMoney(store, asked);
  if (least.amount < amount) throw await tooLow(store, least.refusal, asked);
  for (let start = 0; start < lines.length; start += AT_ONCE) {
    const some = lines.slice(start, start + AT_ONCE);
    const results = await Promise.all(
      some.map((line) => store.commit({ kind: 'hold', hold: holdOf(dependencies, batch, line, at) })),
    );
    const refused = results.find((result) => result !== 'held');
    if (refused === undefined) continue;
    await releaseLines(dependencies, batch.id, lines.slice(0, start + AT_ONCE));
    throw await tooLow(store, refused, asked);
  }
}

export async function releaseLines(
  { store, clock }: Pick<HoldDependencies, 'store' | 'clock'>,
  batchId: string,
  lines: readonly Pick<PlannedLine, 'customId'>[],
): Promise<void> {
  for (let start = 0; start < lines.length; start += AT_ONCE)
    await Promise.all(
      lines.slice(start, start + AT_ONCE).map(({ customId }) =>
        store.commit({
          kind: 'end',
          holdId: requestIdOf(batchId, customId),
          charge: null,
          usageSource: null,
          at: unixSeconds(clock),
          note: 'batch_not_started',
          request: null,
        }),
      ),
    );
}

function holdOf(
  { owner }: HoldDependencies,
  batch: BatchRow,
  { customId, estimate, price }: PlannedLine,
  at: number,
): HoldRow {
  const id = requestIdOf(batch.id, customId);
  return {
    id,
    request_id: id,
    task_id: batch.id,
    account_id: batch.account_id,
    token_id: batch.token_id,
    amount: estimate,
    mode: batch.mode,
    price,
    owner,
    expires_at: batch.expires_at + MARGIN_SECONDS,
    created_at: at,
  };
}
