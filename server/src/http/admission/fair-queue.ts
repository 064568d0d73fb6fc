// Who begins next when more arrive than one round of the event loop should begin: callers take turns, however many requests
// each has, so that a burst of one delays mostly itself. Without a burst nobody waits.
import { GatewayError } from '../../errors/gateway-error.ts';

interface Waiting {
  since: number;
  begin(): void;
  refuse(error: GatewayError): void;
}

export interface FairQueueSettings {
  /** Requests begun in one round of the event loop, as long as rounds are short. */
  perRound?: number;
  /** A longer round lets fewer begin: what has begun comes first. */
  roundMs?: number;
  mostWaiting?: number;
  maxWaitMs?: number;
  /** And when somebody has waited without a break for that long, no request waits longer than this: the queue would only stand. */
  standingMs?: number;
  /** So many may begin now; after a 0, `lookAgain` is called when there are more. */
  capacity?(): number;
  now?(): number;
  /** Calls back when the event loop has done everything that is ready now. */
  nextRound?(work: () => void): void;
}

export class FairQueue {
  readonly #settings: Required<FairQueueSettings>;
  /** In the order of service; never an empty queue. */
  readonly #queues = new Map<string, Waiting[]>();
  readonly #round = (): void => this.#beginRound();
  #waiting = 0;
  /** Since the last round; half as many as may begin call the next one. */
  #begun = 0;
  /** Until the next round. */
  #most: number;
  #calledAt = 0;
  #isRoundComing = false;
  /** When the first of those who wait came, or of those before them if there was no break. */
  #standsSince = 0;

  constructor(settings: FairQueueSettings = {}) {
    this.#settings = {
      perRound: 32,
      roundMs: 10,
      mostWaiting: 2_000,
      maxWaitMs: 5_000,
      standingMs: 1_000,
      capacity: () => Infinity,
      now: () => performance.now(),
      nextRound: setImmediate,
      ...settings,
    };
    this.#most = this.#settings.perRound;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** undefined: begin now. Rejects, or throws, when there is no capacity or it takes too long. */
  take(caller: string): Promise<void> | undefined {
    const most = Math.min(this.#most, this.#settings.capacity());
    if (this.#waiting === 0 && this.#begun < most) {
      // One for every request that comes alone would be a good part of what that costs.
      if (++this.#begun * 2 >= most) this.#callRound();
      return undefined;
    }
    const queue = this.#queues.get(caller);
    // A queue may take as much capacity as is free: some is always left for later callers.
    if ((queue?.length ?? 0) >= this.#settings.mostWaiting - this.#waiting) throw overloaded();
    return new Promise((begin, refuse) => {
      const waiting = { since: this.#settings.now(), begin, refuse };
      if (this.#waiting === 0) this.#standsSince = waiting.since;
      if (queue === undefined) this.#queues.set(caller, [waiting]);
      else queue.push(waiting);
      this.#waiting++;
      this.#callRound();
    });
  }

  /** There may be capacity again. */
  lookAgain(): void {
    if (this.#waiting > 0) this.#callRound();
  }

  #callRound(): void {
    if (this.#isRoundComing) return;
    this.#isRoundComing = true;
    this.#calledAt = this.#settings.now();
    this.#settings.nextRound(this.#round);
  }

  #beginRound(): void {
    this.#isRoundComing = false;
    this.#begun = 0;
    const { perRound, roundMs, maxWaitMs, standingMs, capacity } = this.#settings;
    const now = this.#settings.now();
    const took = now - this.#calledAt;
    this.#most = took <= roundMs ? perRound : Math.max(1, Math.floor((perRound * roundMs) / took));
    if (this.#waiting === 0) return;
    this.#refuseLate(now - (now - this.#standsSince > maxWaitMs ? standingMs : maxWaitMs));
    const most = Math.min(this.#most, capacity());
    while (this.#waiting > 0 && this.#begun < most) {
      this.#begun++;
      this.#next()?.begin();
    }
    if (this.#waiting === 0 || capacity() > 0) this.#callRound();
  }

  #refuseLate(latest: number): void {
    for (const [caller, queue] of this.#queues) {
      while ((queue[0]?.since ?? Infinity) < latest) {
        this.#waiting--;
        queue.shift()?.refuse(overloaded());
      }
      if (queue.length === 0) this.#queues.delete(caller);
    }
  }

  /** The first of the queue that is next; that queue goes to the end. */
  #next(): Waiting | undefined {
    for (const [caller, queue] of this.#queues) {
      const next = queue.shift();
      this.#queues.delete(caller);
      if (queue.length > 0) this.#queues.set(caller, queue);
      if (next !== undefined) this.#waiting--;
      return next;
    }
    return undefined;
  }
}

export function overloaded(): GatewayError {
  return new GatewayError('overloaded', { message: 'The gateway has too much to do. Retry shortly.', retryAfter: 1 });
}
