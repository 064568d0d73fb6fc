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

/** Throws 402 before anything is held: a batch without money must not take it from other requests for a moment. */
export async function requireMoney(
  { store, clock }: HoldDependencies,
  batch: BatchRow,
  lines: readonly PlannedLine[],
): Promise<void> {
  const asked = askedFor(batch, lines, unixSeconds(clock));
  const least = await leastMoney(store, asked);
  if (least.amount < asked.amount) throw await tooLow(store, least.refusal, asked);
}

/** Throws where one of them cannot be held; others may be held by then. */
export async function holdLines(
  dependencies: HoldDependencies,
  batch: BatchRow,
  lines: readonly PlannedLine[],
): Promise<void> {
  const { store, clock } = dependencies;
  const at = unixSeconds(clock);
  for (let start = 0; start < lines.length; start += AT_ONCE) {
    const some = lines.slice(start, start + AT_ONCE);
    // All have an end before one that failed is reported: none is held later.
    const results = await Promise.allSettled(
      some.map((line) => store.commit({ kind: 'hold', hold: holdOf(dependencies, batch, line, at) })),
    );
    for (const result of results) {
      if (result.status === 'rejected') throw result.reason;
      if (result.value !== 'held') throw await tooLow(store, result.value, askedFor(batch, lines, at));
    }
  }
}

function askedFor({ token_id: tokenId, mode }: BatchRow, lines: readonly PlannedLine[], at: number) {
  return { tokenId, mode, amount: lines.reduce((sum, line) => sum + line.estimate, 0n), at };
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
