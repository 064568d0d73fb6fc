// Tells this process what operators changed, also through other processes: it reads the change notices every half
// second, and at once after a change of its own. Where the store announces changes it reads at once and else more seldom.
import { changesAfter, latestSequence } from '../store/queries/changes.ts';
import type { Notices, Reads } from '../store/store.ts';
import type { ChangesTable } from '../store/tables.ts';

export interface ChangeWatchSettings {
  reads: Reads;
  intervalMs?: number;
  /** Announcements of changes; undefined where there are none. */
  listen?(onNotice: () => void): Notices | undefined;
  onToken(tokenId: string): void;
  onAccount(accountId: string): void;
  onCatalogue(): Promise<void>;
  /** Notices are missing or too many: forget and reload everything. */
  onGap(): Promise<void>;
  /** Once per outage of the store. */
  onError?(error: unknown): void;
}

const INTERVAL_MS = 500;
/** Between two looks while announcements arrive: a pooler in between may swallow them, and 2 s is the promise. */
export const LISTENING_INTERVAL_MS = 1_500;
/** Beyond this, forgetting everything costs less than forgetting one by one. */
export const MANY = 200;

export class ChangeWatch {
  readonly #settings: ChangeWatchSettings;
  #position = 0;
  #notices: Notices | undefined;
  #lastLook = 0;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #failing = false;

  constructor(settings: ChangeWatchSettings) {
    this.#settings = settings;
  }

  /** Watches from now on: what is loaded before this call may be stale, so start the watch first. */
  async start(): Promise<void> {
    this.#position = await latestSequence(this.#settings.reads);
    this.#notices = this.#settings.listen?.(() => void this.poll());
    this.#timer = setInterval(() => this.#lookAgain(), this.#settings.intervalMs ?? INTERVAL_MS).unref();
  }

  /** Resolves when no poll is running any more; then the store may be closed. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#notices?.close();
    await (this.#next ?? this.#running);
  }

  /**
   * Resolves when everything committed before the call is applied here, or the store cannot be asked; never rejects.
   * Calls made while a poll is running share the one after it.
   */
  poll(): Promise<void> {
    this.#next ??= this.#running.then(() => {
      this.#running = this.#next ?? Promise.resolve();
      this.#next = undefined;
      return this.#pollOnce();
    });
    return this.#next;
  }

  #lookAgain(): void {
    const isNotified = this.#notices?.isListening === true && !this.#failing;
    if (isNotified && performance.now() - this.#lastLook < LISTENING_INTERVAL_MS - INTERVAL_MS / 2) return;
    void this.poll();
  }

  async #pollOnce(): Promise<void> {
    this.#lastLook = performance.now();
    try {
      const changes = await changesAfter(this.#settings.reads, this.#position);
      await this.#apply(changes);
      this.#position = changes.at(-1)?.sequence ?? this.#position; // after applying: a failure applies them again
      this.#failing = false;
    } catch (error) {
      if (!this.#failing) this.#settings.onError?.(error);
      this.#failing = true;
    }
  }

  async #apply(changes: ChangesTable[]): Promise<void> {
    const dense = changes.every((change, index) => change.sequence === this.#position + index + 1);
    if (!dense || changes.length > MANY) {
      await this.#settings.onGap();
      return;
    }
    for (const { kind, subject } of changes) {
      if (kind === 'token') this.#settings.onToken(subject);
      if (kind === 'account') this.#settings.onAccount(subject);
    }
    if (changes.some(({ kind }) => kind === 'catalogue')) await this.#settings.onCatalogue();
  }
}
