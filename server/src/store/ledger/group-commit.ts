// Gathers ledger operations into batches: while one batch is being committed the next one fills, so the busier the
// gateway, the more operations share one commit. A batch whose outcome is unknown is sent again, which operations allow.
import { GatewayError } from '../../errors/gateway-error.ts';
import { nextRound, wait } from '../../shared/wait.ts';
import type { LedgerOperation, LedgerResult } from './operations.ts';

export interface BatchEngine {
  /** Commits all operations together; rejects when it is not known to be committed. */
  commit(operations: LedgerOperation[]): Promise<LedgerResult[]>;
}

interface Waiting {
  operation: LedgerOperation;
  /** After this time (ms) a failure is told to who waits instead of trying again. */
  patience: number;
  resolve(result: LedgerResult): void;
  reject(error: unknown): void;
}

const MAX_BATCH = 500;
const MAX_QUEUE = 20_000;
/** Operations of a failed batch that are tried alone before the store itself is taken to be away. */
const GIVE_UP_AFTER = 2;
/** A new call is refused quickly when the store is away; the end of a call that has happened is worth waiting for. */
const PATIENCE_MS = { hold: 2_000, end: 30_000, log: 30_000 } as const;

export class GroupCommit {
  readonly #engine: BatchEngine;
  #queue: Waiting[] = [];
  #running: Promise<void> | undefined;

  constructor(engine: BatchEngine) {
    this.#engine = engine;
  }

  submit<O extends LedgerOperation>(operation: O): Promise<LedgerResult<O>> {
    if (operation.kind !== 'end' && this.#queue.length >= MAX_QUEUE) {
      return Promise.reject(
        new GatewayError('overloaded', { message: 'The store is behind. Retry shortly.', retryAfter: 1 }),
      );
    }
    return new Promise((resolve, reject) => {
      const patience = performance.now() + PATIENCE_MS[operation.kind];
      this.#queue.push({ operation, patience, resolve: resolve as Waiting['resolve'], reject });
      this.#running ??= this.#drain();
    });
  }

  /** Resolves when nothing is queued or under way any more. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async #drain(): Promise<void> {
    await nextRound(); // whatever else this round of the event loop brings joins the first batch
    let failures = 0;
    while (this.#queue.length > 0) {
      const batch = this.#queue.splice(0, MAX_BATCH);
      try {
        answer(batch, await this.#engine.commit(batch.map((waiting) => waiting.operation)));
        failures = 0;
      } catch (error) {
        failures++;
        await this.#afterFailure(batch, error, failures);
      }
    }
    this.#running = undefined;
  }

  async #afterFailure(batch: Waiting[], error: unknown, failures: number): Promise<void> {
    // One operation that the database refuses must not take the others of its batch with it.
    if (batch.length > 1) {
      let inARow = 0;
      for (const waiting of batch) {
        if (inARow >= GIVE_UP_AFTER) {
          this.#retryOrReject(waiting, error); // it is not the operations, it is the store
          continue;
        }
        try {
          answer([waiting], await this.#engine.commit([waiting.operation]));
          inARow = 0;
        } catch (alone) {
          inARow++;
          this.#retryOrReject(waiting, alone);
        }
      }
    } else {
      for (const waiting of batch) this.#retryOrReject(waiting, error);
    }
    if (this.#queue.length > 0) await wait(Math.min(1_000, 50 * 2 ** failures));
  }

  #retryOrReject(waiting: Waiting, cause: unknown): void {
    if (performance.now() < waiting.patience) this.#queue.push(waiting);
    else
      waiting.reject(
        new GatewayError('overloaded', {
          message: 'The store cannot be reached. Retry shortly.',
          retryAfter: 2,
          cause,
        }),
      );
  }
}

function answer(batch: Waiting[], results: LedgerResult[]): void {
  for (const [index, waiting] of batch.entries()) {
    const result = results[index];
    if (result === undefined) waiting.reject(new Error('the ledger gave no result'));
    else waiting.resolve(result);
  }
}
