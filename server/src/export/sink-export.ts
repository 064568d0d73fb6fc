// Exports to one sink, round after round, batch after batch. One process of all does it, by a lease that it renews; a batch is
// planned in the store, written, and only then the cursor moves: who takes over begins with the batch that was planned
// (docs/export.md). A sink that is away only delays.
import { type Clock, unixSeconds } from '../shared/clock.ts';
import { Rounds } from '../shared/rounds.ts';
import { isDutyTaken, leaveDuty, takeDuty } from '../store/queries/alert-duty.ts';
import {
  beginNumbers,
  endBatch,
  endOfBatch,
  type ExportName,
  exportNames,
  type ExportRange,
  forgetExportError,
  noteComplete,
  noteExportError,
  planBatch,
  readCursor,
} from '../store/queries/exports.ts';
import type { Store } from '../store/store.ts';
import { redactText } from '../telemetry/redact.ts';
import { readBatch } from './read-batch.ts';
import type { ExportBatch, ExportSink } from './sink.ts';

export interface SinkExportSettings {
  store: Store;
  clock: Clock;
  /** This process. */
  owner: string;
  sink: ExportSink;
  onError(error: unknown, what: string): void;
  onWritten?(batch: { name: ExportName; rows: number }): void;
  roundMs?: number;
  /** Rows of a batch at most. */
  batchRows?: number;
}

/** A row waits for its round at most so long; contract-2 12 allows 30 s. */
const ROUND_MS = 10_000;
const BATCH_ROWS = 5_000;
const LEASE_SECONDS = 20;
const RENEW_MS = 5_000;
/** What is complete is written down without anything to export so often at most. */
const NOTE_SECONDS = 60;
const LONGEST_ERROR = 500;

export class SinkExport {
  readonly #settings: SinkExportSettings;
  readonly #rounds = new Rounds(() => this.#round());
  readonly #duty: { owner: string; name: string };
  readonly #notedAt = new Map<ExportName, number>();
  #hasLease = false;
  #renewAt = 0;
  #isPrepared = false;
  #failures = 0;
  /** A failure of an earlier process may be written down. */
  #mayHaveError = true;
  #isStopped = false;

  constructor(settings: SinkExportSettings) {
    this.#settings = settings;
    this.#duty = { owner: settings.owner, name: `export ${settings.sink.name}` };
  }

  start(): void {
    this.#rounds.start(Math.min(500, this.#roundMs));
  }

  /** A batch that is being written is given up, and written again later. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#settings.sink.close();
    await this.#rounds.stop();
    if (this.#hasLease) await leaveDuty(this.#settings.store, this.#duty);
  }

  get #roundMs(): number {
    return this.#settings.roundMs ?? ROUND_MS;
  }

  async #round(): Promise<number> {
    const { sink, onError } = this.#settings;
    try {
      if (!(await this.#renew())) return this.#roundMs;
      if (!this.#isPrepared) await sink.prepare();
      this.#isPrepared = true;
      await this.#exportAll();
      await this.#succeeded();
      return this.#roundMs;
    } catch (error) {
      if (this.#isStopped) return this.#roundMs;
      onError(error, `the export to ${sink.name} does not go on; it is tried again`);
      this.#isPrepared = false;
      await this.#failed(error);
      return Math.min(this.#roundMs, 500 * 2 ** Math.min(this.#failures, 10));
    }
  }

  /** Table after table, so that a long way to go in one keeps no other waiting. */
  async #exportAll(): Promise<void> {
    let isMore = true;
    while (isMore && !this.#isStopped) {
      isMore = false;
      for (const name of exportNames) isMore = (await this.#step(name)) || isMore;
    }
  }

  async #renew(): Promise<boolean> {
    const { store, clock } = this.#settings;
    if (this.#hasLease && clock.now() < this.#renewAt) return true;
    this.#hasLease = false; // until it is known
    const now = await store.now();
    if (await isDutyTaken(store.reads, { ...this.#duty, now })) return false;
    this.#hasLease = await takeDuty(store, { ...this.#duty, now, seconds: LEASE_SECONDS });
    this.#renewAt = clock.now() + RENEW_MS;
    return this.#hasLease;
  }

  /** One batch. True when there may be more at once. */
  async #step(name: ExportName): Promise<boolean> {
    const { store, sink, onWritten, batchRows = BATCH_ROWS } = this.#settings;
    if (!(await this.#renew())) return false;
    const { reached: from, planned } = await readCursor(store.reads, sink.name, name);
    let range: ExportRange;
    if (planned === undefined) {
      const at = await store.now();
      const last = await store.committedUpTo(name);
      const to = await endOfBatch(store.reads, { name, from, last }, batchRows);
      if (to === undefined && from.number < 0n) return beginNumbers(store, sink.name, from);
      if (to === undefined) {
        await this.#complete(name, at);
        return false;
      }
      range = { name, from, to };
      if (!(await planBatch(store, sink.name, range))) return this.#lost();
    } else range = { name, from, to: planned };
    const lines = await readBatch(store.reads, range);
    if (lines.length > 0) await this.#write({ ...range, lines, isRepeated: planned !== undefined });
    if (!(await endBatch(store, sink.name, range, lines.length))) return this.#lost();
    this.#notedAt.delete(name);
    onWritten?.({ name, rows: lines.length });
    return true;
  }

  /** However long it takes, the lease does not end meanwhile. */
  async #write(batch: ExportBatch): Promise<void> {
    const { store, sink } = this.#settings;
    const renew = async (): Promise<void> => {
      await takeDuty(store, { ...this.#duty, now: await store.now(), seconds: LEASE_SECONDS });
    };
    const timer = setInterval(() => void renew().catch(() => undefined), RENEW_MS);
    try {
      await sink.write(batch);
    } finally {
      clearInterval(timer);
    }
  }

  /** Another process has gone on in the place of this one. */
  #lost(): boolean {
    this.#hasLease = false;
    return false;
  }

  async #complete(name: ExportName, at: number): Promise<void> {
    const notedAt = this.#notedAt.get(name);
    if (notedAt !== undefined && at - notedAt < NOTE_SECONDS) return;
    await noteComplete(this.#settings.store, this.#settings.sink.name, { name, at });
    this.#notedAt.set(name, at);
  }

  async #succeeded(): Promise<void> {
    if (!this.#mayHaveError) return;
    await forgetExportError(this.#settings.store, this.#settings.sink.name);
    this.#mayHaveError = false;
    this.#failures = 0;
  }

  /** Where the store itself is away, nothing is written down. */
  async #failed(error: unknown): Promise<void> {
    const { store, clock, sink } = this.#settings;
    this.#failures++;
    this.#mayHaveError = true;
    const message = messageOf(error);
    const noted = noteExportError(store, { sink: sink.name, message, at: unixSeconds(clock) });
    await noted.catch(() => undefined);
  }
}

function messageOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return redactText(message || (code ?? 'no answer')).slice(0, LONGEST_ERROR);
}
