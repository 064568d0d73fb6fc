// Counts guesses in the store, so that all processes share one count and a restart keeps it. The larger a count has become,
// the less often it is written: a flood of guesses must not become a flood of writes.
import { LRUCache } from 'lru-cache';
import { type Clock, unixSeconds } from '../../../shared/clock.ts';
import {
  addFailures,
  findCount,
  forgetEndedCounts,
  recordSignIn,
  rememberNetwork,
} from '../../../store/queries/sign-in-counts.ts';
import type { Store } from '../../../store/store.ts';

export interface Count {
  /** As it stood in the store before this guess; the same as `failures` when this one was not written yet. */
  before: number;
  failures: number;
  /** When it starts again at 0. */
  endsAt: number;
}

export const WINDOW_SECONDS = 15 * 60;
const KNOWN_SECONDS = 30 * 86_400;
/** From here on, a count is written when it has grown by an eighth. All limits lie far below. */
const LARGE = 64;
const GROWTH = 8;
const MOST_SUBJECTS = 10_000;
const TIDY_SECONDS = 600;

interface LargeCount {
  failures: number;
  pending: number;
  endsAt: number;
}

export class GuessCounts {
  readonly #store: Store;
  readonly #clock: Clock;
  /** Made with the first of them: it takes all its room at once. */
  #large: LRUCache<string, LargeCount> | undefined;
  #tidiedAt = 0;

  constructor({ store, clock }: { store: Store; clock: Clock }) {
    this.#store = store;
    this.#clock = clock;
  }

  get now(): number {
    return unixSeconds(this.#clock);
  }

  async add(subject: string): Promise<Count> {
    const { now } = this;
    this.#tidy(now);
    const large = this.#large?.get(subject);
    const isOpen = large !== undefined && large.endsAt > now;
    if (isOpen && ++large.pending < large.failures / GROWTH) {
      const failures = large.failures + large.pending;
      return { before: failures, failures, endsAt: large.endsAt };
    }
    const failures = isOpen ? large.pending : 1;
    if (isOpen) large.pending = 0; // before the wait: others go on counting
    const row = await addFailures(this.#store, { subject, failures, now, endsAt: now + WINDOW_SECONDS });
    if (row.failures >= LARGE) {
      this.#large ??= new LRUCache({ max: MOST_SUBJECTS });
      const pending = isOpen ? large.pending : 0;
      this.#large.set(subject, { failures: row.failures, pending, endsAt: row.ends_at });
    }
    return { before: row.failures - failures, failures: row.failures, endsAt: row.ends_at };
  }

  async find(subject: string): Promise<Count | undefined> {
    const row = await findCount(this.#store.reads, subject, this.now);
    return row && { before: row.failures, failures: row.failures, endsAt: row.ends_at };
  }

  /** The name starts afresh; the address only gets this try back, or one good account would cover for many guesses. */
  async succeed(subjects: { name: string | undefined; address: string; known: string | undefined }): Promise<void> {
    await recordSignIn(this.#store, { ...subjects, knownUntil: this.now + KNOWN_SECONDS });
    if (subjects.name !== undefined) this.#large?.delete(subjects.name);
  }

  /** That the key has been right there. */
  async remember(known: string): Promise<void> {
    const until = this.now + KNOWN_SECONDS;
    await this.#store.transaction((transaction) => rememberNetwork(transaction, known, until));
  }

  #tidy(now: number): void {
    if (now - this.#tidiedAt < TIDY_SECONDS) return;
    this.#tidiedAt = now;
    forgetEndedCounts(this.#store, now).catch(() => {}); // the next round tries again
  }
}
