// Ends holds that nobody else will: those of processes that are gone, and those past their time. Each process tells the
// others that it lives; the process that notices a death sweeps, and doing it twice changes nothing.
import { answeredWithin } from '../shared/lag-aware-timeout.ts';
import type { Store } from '../store/store.ts';
import { endOrphan } from '../store/ledger/checkpoint.ts';
import { noteRun, SEEN_SECONDS } from '../store/queries/gateway-runs.ts';
import { checkpointsOf, heartbeat, orphanedHolds, removeProcess } from '../store/queries/processes.ts';

export interface SweeperSettings {
  store: Store;
  processId: string;
  /** Called with failures, which end nothing: the next round tries again. */
  onError(error: unknown): void;
  onSwept(count: number): void;
  /** Ends the holds of this process whose end could not be written when it was due. */
  finishEnds?(): Promise<void>;
  intervalMs?: number;
}

const INTERVAL_MS = 2_000;
/** Five missed beats: a process silent for longer is taken for dead. */
export const SILENCE_SECONDS = 10;
/** So long between two beats is a pause: half of the silence, for others may have begun theirs two seconds before. */
const PAUSE_MS = (SILENCE_SECONDS * 1000) / 2;
const MAX_SWEEP = 500;

export class Sweeper {
  readonly #settings: SweeperSettings;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  #lastBeat = performance.now();
  /** What the database's clock said then. */
  #lastNow: number | undefined;
  #sweepFrom = 0;
  /** When it was last written down that this process runs, by the database's clock. */
  #runNoted = 0;

  constructor(settings: SweeperSettings) {
    this.#settings = settings;
  }

  /** The first heartbeat is durable when this resolves: only then may the process make holds. */
  async start(): Promise<void> {
    const { store, processId } = this.#settings;
    this.#lastBeat = performance.now();
    this.#lastNow = await heartbeat(store, processId);
    await this.#noteRun(this.#lastNow);
    this.#timer = setInterval(() => {
      this.#round ??= this.#tick().finally(() => {
        this.#round = undefined;
      });
    }, this.#settings.intervalMs ?? INTERVAL_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#round;
    await this.#finishEnds();
    if (this.#lastNow !== undefined) await this.#noteRun(this.storeNow() ?? this.#lastNow, 0);
    await removeProcess(this.#settings.store, this.#settings.processId).catch(this.#settings.onError);
  }

  /** What the database's clock says now, by which holds expire; undefined before the start. */
  storeNow(): number | undefined {
    if (this.#lastNow === undefined) return undefined;
    return this.#lastNow + Math.floor((performance.now() - this.#lastBeat) / 1000);
  }

  /** Ends every orphan there is now; says how many. */
  async sweep(): Promise<number> {
    let total = 0;
    for (let count = MAX_SWEEP; count === MAX_SWEEP; total += count) count = await this.#sweepSome();
    return total;
  }

  async #sweepSome(): Promise<number> {
    const { store } = this.#settings;
    const now = await store.now();
    const ids = await orphanedHolds(store.reads, { now, silence: SILENCE_SECONDS, limit: MAX_SWEEP });
    const checkpoints = await checkpointsOf(store.reads, ids);
    await Promise.all(ids.map((id) => store.commit(endOrphan(id, checkpoints.get(id) ?? null, now))));
    return ids.length;
  }

  async #finishEnds(): Promise<void> {
    await this.#settings.finishEnds?.().catch(this.#settings.onError);
  }

  /** For charts only: a failure stops nothing. */
  async #noteRun(now: number, every = SEEN_SECONDS): Promise<void> {
    if (Math.abs(now - this.#runNoted) < every) return;
    const { store, processId, onError } = this.#settings;
    this.#runNoted = now;
    await noteRun(store, processId, now).catch(onError);
  }

  async #tick(): Promise<void> {
    try {
      const startedAt = performance.now();
      // On a connection that has died without a word: the next beat takes another one.
      const beat = heartbeat(this.#settings.store, this.#settings.processId);
      const now = await answeredWithin(PAUSE_MS, beat, 'the store does not answer a heartbeat');
      const beatenAt = performance.now();
      // After a pause of our own, or of the store, the others' beats may be missing for the same reason, and ours is as old
      // as its beginning: give all of them time to be heard.
      // A clock that was put forward makes them old as well.
      const leapMs = (now - (this.#lastNow ?? now)) * 1000 - (startedAt - this.#lastBeat);
      if (beatenAt - this.#lastBeat > PAUSE_MS || leapMs > PAUSE_MS)
        this.#sweepFrom = beatenAt + SILENCE_SECONDS * 1000;
      this.#lastBeat = startedAt;
      this.#lastNow = now;
      await this.#noteRun(now);
      // What is due is written before anybody, we included, takes its hold for left behind.
      await this.#finishEnds();
      if (beatenAt < this.#sweepFrom) return;
      const count = await this.sweep();
      if (count > 0) this.#settings.onSwept(count);
    } catch (error) {
      this.#settings.onError(error);
    }
  }
}
