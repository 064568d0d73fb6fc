// Gathers ledger operations into batches: while one batch is being committed the next one fills, so the busier the
// gateway, the more operations share one commit. A batch whose outcome is unknown is sent again, which operations allow.
import { GatewayError } from '../../errors/gateway-error.ts';
import { cannotWrite } from '../write-health.ts';
import { nextRound, wait } from '../../shared/wait.ts';
import type { BatchOptions } from './apply-batch.ts';
import type { LedgerOperation, LedgerResult } from './operations.ts';

export interface BatchEngine {
  /** Commits all operations together; rejects when it is not known to be committed. */
  commit(operations: LedgerOperation[], options: BatchOptions): Promise<LedgerResult[]>;
  /** Did the database refuse what was in the batch, rather than being away or broken? */
  refuses(error: unknown): boolean;
  /** What is wrong with the database, for callers whose operation is given up; undefined when it is away. */
  explain?(error: unknown): string | undefined;
}

interface Waiting {
  operation: LedgerOperation;
  /** Sent before, with an unknown outcome. */
  repeated: boolean;
  /** After this time (ms) a failure is returned to the caller instead of trying again. */
  deadline: number;
  resolve(result: LedgerResult): void;
  reject(error: unknown): void;
}

const MAX_BATCH = 500;
const MAX_QUEUE = 20_000;
/** A new call is refused quickly when the store is away; the end of a call that has happened is worth waiting for. */
const DEADLINE_MS = { hold: 2_000, end: 30_000, move: 30_000, log: 30_000, checkpoint: 2_000 } as const;

export class GroupCommit {
  readonly #engine: BatchEngine;
  #queue: Waiting[] = [];
  #running: Promise<void> | undefined;
  /** Operations in the last batch. */
  #lastSize = 0;
  /** Batches that failed in a row. */
  #failures = 0;
  #lastError: unknown;

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
      const deadline = performance.now() + DEADLINE_MS[operation.kind];
      this.#queue.push({
        operation,
        repeated: false,
        deadline,
        resolve: resolve as Waiting['resolve'],
        reject,
      });
      this.#running ??= this.#drain();
    });
  }

  /** Resolves when nothing is queued or under way any more. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async #drain(): Promise<void> {
    // Whatever else this round of the event loop brings joins the first batch; who was alone before need not wait for it.
    await (this.#lastSize === 1 ? Promise.resolve() : nextRound());
    while (this.#queue.length > 0) {
      if (this.#failures > 0) this.#refuseImpatient();
      const batch = this.#queue.splice(0, MAX_BATCH);
      this.#lastSize = batch.length;
      try {
        await this.#commit(batch);
      } catch (error) {
        await this.#afterFailure(batch, error);
      }
    }
    this.#running = undefined;
  }

  async #commit(batch: Waiting[]): Promise<void> {
    if (batch.length === 0) return;
    const repeated = batch.some((waiting) => waiting.repeated);
    const operations = batch.map((waiting) => waiting.operation);
    const results = await this.#engine.commit(operations, { repeated });
    this.#failures = 0;
    answer(batch, results);
  }

  async #afterFailure(batch: Waiting[], error: unknown): Promise<void> {
    if (this.#engine.refuses(error)) {
      await this.#commitApart(batch, error);
      return;
    }
    this.#failures++;
    this.#lastError = error;
    for (const waiting of batch) {
      waiting.repeated = true;
      this.#retryOrReject(waiting, error);
    }
    if (this.#queue.length > 0) await wait(Math.min(1_000, 50 * 2 ** this.#failures));
  }

  /** An operation that the database refuses fails at once, and takes no other of its batch with it. */
  async #commitApart(batch: Waiting[], cause: unknown): Promise<void> {
    const [only] = batch;
    if (batch.length === 1 && only !== undefined) {
      only.reject(new GatewayError('internal_error', { cause }));
      return;
    }
    for (const waiting of batch) {
      try {
        await this.#commit([waiting]);
      } catch (error) {
        await this.#afterFailure([waiting], error);
      }
    }
  }

  /** While the store is away, an operation that has waited long enough fails before the store is asked again. */
  #refuseImpatient(): void {
    const queue = this.#queue;
    this.#queue = [];
    for (const waiting of queue) this.#retryOrReject(waiting, this.#lastError);
  }

  #retryOrReject(waiting: Waiting, cause: unknown): void {
    if (performance.now() < waiting.deadline) this.#queue.push(waiting);
    else waiting.reject(this.#refusal(cause));
  }

  #refusal(cause: unknown): GatewayError {
    const fault = this.#engine.explain?.(cause);
    if (fault !== undefined) return cannotWrite(fault, cause);
    return new GatewayError('overloaded', {
      message: 'The store cannot be reached. Retry shortly.',
      retryAfter: 2,
      cause,
    });
  }
}

function answer(batch: Waiting[], results: LedgerResult[]): void {
  for (const [index, waiting] of batch.entries()) {
    const result = results[index];
    if (result === undefined) waiting.reject(new Error('the ledger gave no result'));
    else waiting.resolve(result);
  }
}
