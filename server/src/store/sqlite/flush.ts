// Brings what was committed to the disk every so often, beside the writing thread. A checkpoint, which keeps all commits
// waiting, then finds little that is not there yet, and a power loss takes no more than the last moment.
import { type FileHandle, open } from 'node:fs/promises';

const EVERY_MS = 50;

export class SqliteFlush {
  readonly #log: string;
  #handle: FileHandle | undefined;
  #timer: NodeJS.Timeout | undefined;
  #underWay: Promise<void> | undefined;
  #hasNew = false;
  #isClosed = false;

  /** Of the write-ahead log beside a database. SQLite keeps no locks on it, so it may be opened and closed here. */
  constructor(database: string) {
    this.#log = `${database}-wal`;
  }

  /** Something was committed. */
  wrote(): void {
    this.#hasNew = true;
    if (this.#timer !== undefined || this.#underWay !== undefined || this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#underWay = this.#flush();
    }, EVERY_MS).unref();
  }

  /** What is new then is left to SQLite, which closes its log itself. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#underWay;
    await this.#handle?.close();
  }

  async #flush(): Promise<void> {
    this.#hasNew = false;
    try {
      this.#handle ??= await open(this.#log, 'r');
      await this.#handle.datasync();
    } catch {
      // Where that cannot be done, the checkpoint does it all.
    }
    this.#underWay = undefined;
    if (this.#hasNew) this.wrote();
  }
}
