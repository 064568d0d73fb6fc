// Reads of the embedded store. Short ones take turns with the writes in the thread that is there anyway: a second one costs
// 10 MB, and its first answer the time of its start. What takes longer than a commit may wait for, or would itself wait too
// long in the queue, is read in a thread of its own, which ends when nobody has needed it for a while.
import { Mutex } from '../../shared/mutex.ts';
import { SqliteThread } from './connection.ts';
import type { ReadsRunner, Snapshot } from './kysely.ts';
import type { StatementAnswer } from './statements.ts';

export interface SqliteReadsSettings {
  file: string;
  writer: SqliteThread;
  /** Held by the user of the writing thread. */
  writing: Mutex;
  idleMs?: number;
}

interface Seat {
  thread: SqliteThread;
  leave(): void;
}

const IDLE_MS = 5_000;
/** Most that a read waits in the queue: about what the start of another thread takes. */
const TURN_MS = 100;
/** Of the thread's time; a commit may come just after it. */
const SHORT_MS = 4;
/** Once may be the machine's doing. */
const TIMES_LONG = 2;
const MAX_LONG = 200;
/** Stands for a whole snapshot among the statements. */
const BEGIN = 'begin';

export class SqliteReads implements ReadsRunner {
  readonly #settings: SqliteReadsSettings;
  /** Statements that were not short when they were last read, and how often in a row. */
  readonly #long = new Map<string, number>();
  #aside: SqliteThread | undefined;
  readonly #reading = new Mutex();
  #open = 0;
  #idle: NodeJS.Timeout | undefined;
  #ending: Promise<void> | undefined;
  #closed = false;

  constructor(settings: SqliteReadsSettings) {
    this.#settings = settings;
  }

  /** Whether there is a thread for reads at the moment. */
  get isAside(): boolean {
    return this.#aside !== undefined;
  }

  async statement(sql: string, parameters: readonly unknown[]): Promise<StatementAnswer> {
    const seat = await this.#take(sql);
    try {
      if (seat.thread !== this.#settings.writer) await this.#settings.writer.catchUp();
      const answer = await seat.thread.read(sql, parameters);
      this.#note(sql, answer.tookMs);
      return answer;
    } finally {
      seat.leave();
    }
  }

  async snapshot(): Promise<Snapshot> {
    const seat = await this.#take(BEGIN);
    let tookMs = 0;
    try {
      await this.#settings.writer.catchUp();
      await seat.thread.statement(BEGIN, []);
    } catch (error) {
      seat.leave();
      throw error;
    }
    return {
      async statement(sql, parameters) {
        const answer = await seat.thread.read(sql, parameters);
        tookMs += answer.tookMs;
        return answer;
      },
      end: async () => {
        this.#note(BEGIN, tookMs);
        try {
          await seat.thread.statement('commit', []);
        } finally {
          seat.leave();
        }
      },
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idle);
    await this.#ending;
    await this.#aside?.close();
  }

  /** The holder of a seat has the thread alone until it leaves. */
  async #take(sql: string): Promise<Seat> {
    const { writer, writing } = this.#settings;
    const waitMs = this.#aside === undefined ? TURN_MS : 0;
    if ((this.#long.get(sql) ?? 0) < TIMES_LONG && (await writing.lockWithin(waitMs))) {
      return { thread: writer, leave: () => writing.unlock() };
    }
    this.#open++;
    clearTimeout(this.#idle);
    await this.#reading.lock();
    const leave = (): void => {
      this.#reading.unlock();
      if (--this.#open === 0 && !this.#closed) this.#endLater();
    };
    if (this.#closed) {
      leave();
      throw new Error('the database is closed');
    }
    if (this.#aside?.hasEnded === true) this.#aside = undefined;
    this.#aside ??= new SqliteThread({ file: this.#settings.file, role: 'read' });
    return { thread: this.#aside, leave };
  }

  #note(sql: string, tookMs: number): void {
    if (tookMs < SHORT_MS) {
      this.#long.delete(sql);
    } else {
      if (this.#long.size >= MAX_LONG) this.#long.clear();
      this.#long.set(sql, (this.#long.get(sql) ?? 0) + 1);
    }
  }

  #endLater(): void {
    this.#idle = setTimeout(() => {
      this.#ending = this.#aside?.close();
      this.#aside = undefined;
    }, this.#settings.idleMs ?? IDLE_MS).unref();
  }
}
