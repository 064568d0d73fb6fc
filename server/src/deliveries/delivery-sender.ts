// Sends what waits in a queue of deliveries: again and again with growing pauses, until a receiver takes it or the attempts
// are used up. Each attempt is kept in the delivery's log. Owners take turns, so that one with many slow receivers does not
// delay the others.
import { type Clock, unixSeconds } from '../shared/clock.ts';
import { pauseUntil, Rounds } from '../shared/rounds.ts';
import { within } from '../shared/wait.ts';
import { retryPause } from './retry-pause.ts';
import { shareSlots, SLOTS } from './share-slots.ts';

/** How one attempt went: `error` is null where the receiver took it. */
export interface AttemptOutcome {
  status: number | null;
  error: string | null;
}

export interface AttemptLog extends AttemptOutcome {
  /** Unix seconds of its beginning. */
  at: number;
  ms: number;
}

export interface Queued {
  id: string;
  attempts: number;
  /** JSON list of `AttemptLog`. */
  log: string;
}

export interface DeliveryChanges {
  status: 'pending' | 'delivered' | 'failed';
  attempts: number;
  log: string;
  next_attempt_at: number;
  completed_at: number | null;
}

export interface DeliveryQueue<Row extends Queued> {
  /** When the first is due; undefined when all have ended. Asked often, so it only reads. */
  firstAttemptAt(): Promise<number | undefined>;
  /** Owners with something due, from behind the given one on and around. */
  dueOwners(asked: { dueAt: number; after: string; limit: number }): Promise<string[]>;
  /** Takes deliveries of an owner by moving them on: others see them when this attempt is surely over. */
  claim(asked: { owner: string; dueAt: number; until: number; limit: number }): Promise<Row[]>;
  ownerOf(row: Row): string;
  /** One attempt; `at` is its time in Unix seconds. */
  attempt(row: Row, context: { at: number; signal: AbortSignal }): Promise<AttemptOutcome>;
  update(id: string, changes: DeliveryChanges): Promise<void>;
}

export interface SenderSettings<Row extends Queued> {
  queue: DeliveryQueue<Row>;
  clock: Clock;
  /** What is sent, for the log. */
  name: string;
  onSent?(outcome: 'delivered' | 'failed'): void;
  onError(error: unknown, what: string): void;
}

/** While something is due, and at the latest: other processes may have died with what they had to send. */
const [ROUND_MS, REST_MS] = [250, 1_000];
/** Longer than an attempt can take: only then may another process try. */
export const CLAIM_MS = 60_000;
const STOP_MS = 2_000;

export class DeliverySender<Row extends Queued> {
  readonly #settings: SenderSettings<Row>;
  readonly #running = new Set<Promise<void>>();
  /** Under way, by owner. */
  readonly #ofOwner = new Map<string, number>();
  /** The owner that was served last: the next round begins behind it. */
  #lastOwner = '';
  readonly #stopping = new AbortController();
  readonly #rounds = new Rounds(() => this.#claim());

  constructor(settings: SenderSettings<Row>) {
    this.#settings = settings;
  }

  start(): void {
    this.#rounds.start(ROUND_MS);
  }

  /** There may be something to send. */
  wake(): void {
    this.#rounds.wake();
  }

  async stop(): Promise<void> {
    await this.#rounds.stop();
    this.#stopping.abort();
    await within(STOP_MS, Promise.all(this.#running));
  }

  /** Says when to claim again. */
  async #claim(): Promise<number> {
    const { queue, clock, name, onError } = this.#settings;
    if (this.#running.size >= SLOTS) return ROUND_MS;
    try {
      const dueAt = clock.now();
      const first = (await queue.firstAttemptAt()) ?? Infinity;
      if (first > dueAt) return pauseUntil(first, dueAt, { least: ROUND_MS, most: REST_MS });
      const owners = await queue.dueOwners({ dueAt, after: this.#lastOwner, limit: SLOTS });
      const due = owners.map((id) => ({ id, running: this.#ofOwner.get(id) ?? 0 }));
      for (const [owner, limit] of shareSlots(due, this.#running.size)) {
        this.#lastOwner = owner;
        const claimed = await queue.claim({ owner, dueAt, until: dueAt + CLAIM_MS, limit });
        for (const delivery of claimed) this.#begin(delivery);
      }
    } catch (error) {
      onError(error, `due deliveries (${name}) cannot be claimed`);
    }
    return ROUND_MS;
  }

  #begin(delivery: Row): void {
    const { queue, name, onError } = this.#settings;
    const owner = queue.ownerOf(delivery);
    this.#ofOwner.set(owner, (this.#ofOwner.get(owner) ?? 0) + 1);
    const work = this.#deliver(delivery)
      .catch((error: unknown) => onError(error, `the delivery ${delivery.id} (${name}) could not be sent`))
      .finally(() => {
        this.#running.delete(work);
        const left = (this.#ofOwner.get(owner) ?? 1) - 1;
        if (left === 0) this.#ofOwner.delete(owner);
        else this.#ofOwner.set(owner, left);
      });
    this.#running.add(work);
  }

  async #deliver(delivery: Row): Promise<void> {
    const { queue, clock, onSent } = this.#settings;
    const attempt = await timedAttempt(clock, (at) => queue.attempt(delivery, { at, signal: this.#stopping.signal }));
    if (this.#stopping.signal.aborted) return; // not the receiver's fault: the next process sends it
    const changes = afterAttempt(delivery, attempt, clock);
    onSent?.(attempt.error === null ? 'delivered' : 'failed');
    await queue.update(delivery.id, changes);
  }
}

export async function timedAttempt(
  clock: Clock,
  attempt: (at: number) => Promise<AttemptOutcome>,
): Promise<AttemptLog> {
  const at = unixSeconds(clock);
  const startedAt = performance.now();
  const { status, error } = await attempt(at);
  return { at, status, error, ms: Math.round(performance.now() - startedAt) };
}

/** What the row becomes; `isLast` where nobody tries again. */
export function afterAttempt(
  delivery: Queued,
  attempt: AttemptLog,
  clock: Clock,
  { isLast = false } = {},
): DeliveryChanges {
  const attempts = delivery.attempts + 1;
  const pause = isLast ? undefined : retryPause(attempts);
  const isDelivered = attempt.error === null;
  const isOver = isDelivered || pause === undefined;
  return {
    status: isDelivered ? 'delivered' : isOver ? 'failed' : 'pending',
    attempts,
    log: JSON.stringify([...(JSON.parse(delivery.log) as AttemptLog[]), attempt]),
    next_attempt_at: clock.now() + (pause ?? 0),
    completed_at: isOver ? unixSeconds(clock) : null,
  };
}
