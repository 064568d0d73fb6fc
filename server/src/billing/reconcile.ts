// Checks the books: everything for the command, the cheap half every minute for the metric.
import {
  type BookCheck,
  type BookProblem,
  type BooksRead,
  countBooks,
  overdueHolds,
  wrongAccounts,
  wrongHolds,
  wrongSums,
  wrongTokens,
} from '../store/queries/reconcile.ts';
import type { Store } from '../store/store.ts';

export type { BookCheck, BookProblem, BooksRead } from '../store/queries/reconcile.ts';

export const BOOK_CHECKS: readonly BookCheck[] = ['account', 'token', 'hold', 'overdue'];

/** The sweeper's round and a little. */
const OVERDUE_SECONDS = 60;
const INTERVAL_MS = 60_000;

export async function reconcile(store: Store): Promise<BookProblem[]> {
  const { reads } = store;
  const overdue = (await store.now()) - OVERDUE_SECONDS;
  return [
    ...(await wrongAccounts(reads)),
    ...(await wrongTokens(reads)),
    ...(await wrongHolds(reads)),
    ...(await overdueHolds(reads, overdue)),
  ];
}

/** How much there was to check: books of nothing always agree. */
export function readBooks(store: Store): Promise<BooksRead> {
  return countBooks(store.reads);
}

export interface BooksWatchSettings {
  store: Store;
  onProblems(counts: Record<BookCheck, number>): void;
  onError(error: unknown): void;
  intervalMs?: number;
}

/** Looks at the sums now and then, without reading the whole ledger. */
export class BooksWatch {
  readonly #settings: BooksWatchSettings;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;

  constructor(settings: BooksWatchSettings) {
    this.#settings = settings;
  }

  start(): void {
    const round = (): void => {
      this.#round ??= this.look().finally(() => {
        this.#round = undefined;
      });
    };
    this.#timer = setInterval(round, this.#settings.intervalMs ?? INTERVAL_MS);
    round();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#round;
  }

  async look(): Promise<void> {
    const { store, onProblems, onError } = this.#settings;
    try {
      const overdue = (await store.now()) - OVERDUE_SECONDS;
      const problems = [...(await wrongSums(store.reads)), ...(await overdueHolds(store.reads, overdue))];
      onProblems(countOf(problems));
    } catch (error) {
      onError(error);
    }
  }
}

export function countOf(problems: readonly BookProblem[]): Record<BookCheck, number> {
  const counts = { account: 0, token: 0, hold: 0, overdue: 0 };
  for (const { check } of problems) counts[check]++;
  return counts;
}
