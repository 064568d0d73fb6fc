// Who begins next when more arrive than one round of the event loop should begin: callers take turns, however many requests
// each has, so that a burst of one delays mostly itself. Without a burst nobody waits.
import { GatewayError } from '../../errors/gateway-error.ts';

interface Waiting {
  since: number;
  begin(): void;
  refuse(error: GatewayError): void;
}

export interface FairTurnsSettings {
  /** Requests begun in one round of the event loop, as long as rounds are short. */
  perRound?: number;
  /** A longer round lets fewer begin: what has begun comes first. */
  roundMs?: number;
  mostWaiting?: number;
  patienceMs?: number;
  now?(): number;
  /** Calls back when the event loop has done everything that is ready now. */
  nextRound?(work: () => void): void;
}

export class FairTurns {
  readonly #settings: Required<FairTurnsSettings>;
  /** In the order of turns; never an empty line. */
  readonly #lines = new Map<string, Waiting[]>();
  readonly #round = (): void => this.#beginRound();
  #waiting = 0;
  #begun = 0;
  /** Of this round. */
  #most: number;
  #calledAt = 0;
  #isRoundComing = false;

  constructor(settings: FairTurnsSettings = {}) {
    this.#settings = {
      perRound: 32,
      roundMs: 10,
      mostWaiting: 2_000,
      patienceMs: 5_000,
      now: () => performance.now(),
      nextRound: setImmediate,
      ...settings,
    };
    this.#most = this.#settings.perRound;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** undefined: begin now. Rejects, or throws, when there is no room or it takes too long. */
  take(caller: string): Promise<void> | undefined {
    if (this.#waiting === 0 && this.#begun < this.#most) {
      this.#begun++;
      this.#callRound();
      return undefined;
    }
    const line = this.#lines.get(caller);
    // A line may take as much room as is free: some is always left for those who come after.
    if ((line?.length ?? 0) >= this.#settings.mostWaiting - this.#waiting) throw overloaded();
    return new Promise((begin, refuse) => {
      const waiting = { since: this.#settings.now(), begin, refuse };
      if (line === undefined) this.#lines.set(caller, [waiting]);
      else line.push(waiting);
      this.#waiting++;
      this.#callRound();
    });
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
    const { perRound, roundMs, patienceMs } = this.#settings;
    const now = this.#settings.now();
    const took = now - this.#calledAt;
    this.#most = took <= roundMs ? perRound : Math.max(1, Math.floor((perRound * roundMs) / took));
    if (this.#waiting === 0) return;
    const latest = now - patienceMs;
    while (this.#waiting > 0 && this.#begun < this.#most) {
      const next = this.#next();
      if (next === undefined) break;
      if (next.since < latest) {
        next.refuse(overloaded());
        continue;
      }
      this.#begun++;
      next.begin();
    }
    this.#callRound();
  }

  /** The first of the line whose turn it is; the line goes to the end. */
  #next(): Waiting | undefined {
    for (const [caller, line] of this.#lines) {
      const next = line.shift();
      this.#lines.delete(caller);
      if (line.length > 0) this.#lines.set(caller, line);
      if (next !== undefined) this.#waiting--;
      return next;
    }
    return undefined;
  }
}

export function overloaded(): GatewayError {
  return new GatewayError('overloaded', { message: 'The gateway has too much to do. Retry shortly.', retryAfter: 1 });
}
