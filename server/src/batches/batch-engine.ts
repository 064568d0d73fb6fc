// The worker of batches, one per process: looks after batches by lease, and runs due lines of all of them, with one bound
// over all processes (contract-2 8). Like the task engine, it leaves nothing that another process could not take up.
import { LRUCache } from 'lru-cache';
import { Rounds } from '../shared/rounds.ts';
import { within } from '../shared/wait.ts';
import { forgetLines, type LineRow } from '../store/queries/batch-lines.ts';
import { claimLines } from '../store/queries/claim-batch-lines.ts';
import { type BatchRow, claimBatches, endedWithLines, findBatch, hasLiveBatch } from '../store/queries/batches.ts';
import type { BatchDependencies } from './batch-dependencies.ts';
import { archiveResults } from './finish/archive-results.ts';
import { advanceBatch } from './finish/advance-batch.ts';
import { LinePrincipals } from './lines/line-principal.ts';
import { runLine, type RunDependencies } from './lines/run-line.ts';
import { waitForIdle } from './wait-for-idle.ts';

const BATCH_LEASE_SECONDS = 120;
/** Outlives the longest call to an upstream. */
const LINE_LEASE_SECONDS = 3_600;
const BATCHES_AT_ONCE = 100;
const [BUSY_ROUND_MS, IDLE_ROUND_MS] = [250, 1_000];
/** Between two looks at the batches themselves. */
const LOOK_MS = 500;
const STOP_MS = 10_000;
/** Between two looks for what is forgotten. */
const FORGET_MS = 3_600_000;

export class BatchEngine {
  readonly #dependencies: RunDependencies;
  readonly #silence: number;
  readonly #rounds = new Rounds(() => this.#round());
  readonly #running = new Set<Promise<void>>();
  /** Batches that are looked after right now. */
  readonly #looked = new Map<string, Promise<void>>();
  /** Batches whose lines wait here, until then on a clock that nobody sets. */
  readonly #paused = new Map<string, number>();
  readonly #known = new LRUCache<string, BatchRow>({ max: 1_000 });
  #nextLook = 0;
  #isStopping = false;
  #forgetting: NodeJS.Timeout | undefined;

  constructor(dependencies: BatchDependencies, { silenceSeconds }: { silenceSeconds: number }) {
    const { store, clock } = dependencies;
    this.#silence = silenceSeconds;
    this.#dependencies = {
      ...dependencies,
      principals: new LinePrincipals({ store, clock }),
      pause: (id, ms) => void this.#paused.set(id, performance.now() + ms),
    };
  }

  start(): void {
    this.#rounds.start(BUSY_ROUND_MS);
    this.#forgetting = setInterval(() => void this.#forget(), FORGET_MS).unref();
    void this.#forget();
  }

  wake(): void {
    this.#nextLook = 0;
    this.#rounds.wake();
  }

  /** Lines under way may end; what does not is run again by another process, or the next one. */
  async stop(graceMs = STOP_MS): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#forgetting);
    await this.#rounds.stop();
    await within(Math.min(graceMs, STOP_MS), Promise.all([...this.#running, ...this.#looked.values()]));
  }

  async #round(): Promise<number> {
    const { store, onError } = this.#dependencies;
    try {
      if (this.#running.size === 0 && !(await hasLiveBatch(store.reads))) return IDLE_ROUND_MS;
      if (performance.now() >= this.#nextLook) {
        this.#nextLook = performance.now() + LOOK_MS;
        await this.#lookAfterBatches();
      }
      await this.#beginLines();
    } catch (error) {
      onError(error, 'batches cannot be looked after');
    }
    return BUSY_ROUND_MS;
  }

  async #lookAfterBatches(): Promise<void> {
    const { store, owner } = this.#dependencies;
    const claim = { owner, now: await store.now(), leaseSeconds: BATCH_LEASE_SECONDS, silence: this.#silence };
    for (const batch of await claimBatches(store, { ...claim, limit: BATCHES_AT_ONCE })) {
      if (this.#looked.has(batch.id)) continue;
      const look = this.#lookAfter(batch).finally(() => this.#looked.delete(batch.id));
      this.#looked.set(batch.id, look);
    }
  }

  async #lookAfter(batch: BatchRow): Promise<void> {
    try {
      if (await advanceBatch(this.#dependencies, batch, this.#silence)) this.wake();
    } catch (error) {
      this.#dependencies.onError(error, `the batch ${batch.id} could not be taken on`);
    }
  }

  async #beginLines(): Promise<void> {
    const { store, clock, owner, concurrency, isBusy } = this.#dependencies;
    const limit = concurrency - this.#running.size;
    if (limit <= 0 || this.#isStopping || isBusy()) return;
    for (const [id, until] of this.#paused) if (until <= performance.now()) this.#paused.delete(id);
    const lines = await claimLines(store, {
      owner,
      dueAt: clock.now(),
      now: await store.now(),
      leaseSeconds: LINE_LEASE_SECONDS,
      silence: this.#silence,
      most: concurrency,
      limit,
      except: [...this.#paused.keys()],
    });
    for (const line of lines) {
      await waitForIdle(this.#dependencies);
      this.#begin(line);
    }
  }

  #begin(line: LineRow): void {
    const work = this.#run(line).finally(() => {
      this.#running.delete(work);
      if (!this.#isStopping) this.#rounds.wake();
    });
    this.#running.add(work);
  }

  async #run(line: LineRow): Promise<void> {
    try {
      const batch = this.#known.get(line.batch_id) ?? (await findBatch(this.#dependencies.store.reads, line.batch_id));
      if (batch === undefined) return;
      this.#known.set(batch.id, batch); // what lines need of it never changes
      await runLine(this.#dependencies, batch, line);
    } catch (error) {
      this.#dependencies.onError(error, `the line ${line.custom_id} of ${line.batch_id} could not be run`);
    }
  }

  /** Lines that a crash right after the end of a batch left, and old results. */
  async #forget(): Promise<void> {
    const { store, onError } = this.#dependencies;
    try {
      for (const id of await endedWithLines(store.reads)) while (await forgetLines(store, id));
      await archiveResults(this.#dependencies);
    } catch (error) {
      onError(error, 'what is left of ended batches could not be forgotten');
    }
  }
}
