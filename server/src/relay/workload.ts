// How many requests this process works on at once: those that wait for a client or an upstream cost nothing and are not
// counted. Where several tokens share a busy process it bounds their number, because the next request waits for all of it.
import { measureUtilisation } from '../shared/runtime/utilisation.ts';

export interface WorkloadSettings {
  /** Never fewer at once, where several tokens share the process and where one has it alone. */
  least?: { shared: number; alone: number };
  now?(): number;
  /** Part of the time in which the event loop had something to do, since it was last asked. */
  utilisation?(): number;
}

/** Alone, a token delays only itself: enough for large batches, and still a bound on what has begun and waits. */
const LEAST = { shared: 8, alone: 256 };
/** No bound. */
const ANY = Number.MAX_SAFE_INTEGER;
const [BUSY, IDLE] = [0.9, 0.75];
const [SHRINK, GROW] = [0.7, 1.5];
/** A hold that takes so many times as long as one without company waits for company. */
const SLOW_FACTOR = 3;
const SLOW_MS = 5;
/** The time of a hold alone is believed a little less with every sample: half of it in about a minute. */
const FORGET = 1.001;
/** How much of the pace of late may be lost to fewer at once, and how fast that pace is forgotten. */
const [KEEP, FADE, SMOOTH] = [0.7, 0.98, 0.3];

export class Workload {
  readonly #least: { shared: number; alone: number };
  readonly #now: () => number;
  readonly #utilisation: () => number;
  #busy = 0;
  #most = ANY;
  #isShared = false;
  #onCapacity: (() => void) | undefined;
  #heldMs = 0;
  #holds = 0;
  #quickestHoldMs = Infinity;
  #pace = 0;
  #bestPace = 0;

  constructor({ least = LEAST, now, utilisation }: WorkloadSettings = {}) {
    this.#least = least;
    this.#now = now ?? (() => performance.now());
    this.#utilisation = utilisation ?? measureUtilisation();
  }

  /** Several tokens are at work: what one of them takes, the others wait for. */
  set isShared(isShared: boolean) {
    this.#isShared = isShared;
  }

  /** So many may begin now; `onCapacity` is called when there is some again. */
  get capacity(): number {
    return this.#most - this.#busy;
  }

  set onCapacity(listener: () => void) {
    this.#onCapacity = listener;
  }

  begin(): Work {
    this.#busy++;
    return new Work(this, this.#now());
  }

  /** For its works: one begins again or ends. */
  count(change: 1 | -1): void {
    const hadCapacity = this.capacity > 0;
    this.#busy += change;
    if (!hadCapacity && this.capacity > 0) this.#onCapacity?.();
  }

  /** For its works: one has its hold. */
  held(beganAt: number): void {
    const took = this.#now() - beganAt;
    this.#heldMs += took;
    this.#holds++;
    if (took < this.#quickestHoldMs) this.#quickestHoldMs = took;
  }

  /** Its number is bounded: samples have to follow until it is not. */
  get isBounded(): boolean {
    return this.#most !== ANY;
  }

  /** Samples follow from now on, after a rest in which nothing was at work and so many were left out. */
  start(missed: number): void {
    this.#utilisation();
    this.#pace *= (1 - SMOOTH) ** missed;
    this.#bestPace *= FADE ** missed;
    this.#quickestHoldMs *= FORGET ** missed;
  }

  /** As few as keep the pace: then nobody waits longer than need be, and no time is lost. */
  sample(): void {
    const utilisation = this.#utilisation();
    const holdMs = this.#holds === 0 ? 0 : this.#heldMs / this.#holds;
    this.#pace += (this.#holds - this.#pace) * SMOOTH;
    this.#bestPace = Math.max(this.#bestPace * FADE, this.#pace);
    [this.#heldMs, this.#holds] = [0, 0];
    this.#quickestHoldMs *= FORGET;
    const isCrowded = utilisation > BUSY || holdMs > this.#quickestHoldMs * SLOW_FACTOR + SLOW_MS;
    if (this.#pace < this.#bestPace * KEEP) this.#grow();
    else if (isCrowded) this.#shrink();
    else if (utilisation < IDLE) this.#grow();
    this.#onCapacity?.(); // also without any: somebody may have waited too long
  }

  #grow(): void {
    this.#most = Math.min(ANY, Math.ceil(this.#most * GROW));
  }

  #shrink(): void {
    const least = this.#isShared ? this.#least.shared : this.#least.alone;
    this.#most = Math.max(least, Math.floor((this.#most === ANY ? this.#busy : this.#most) * SHRINK));
  }
}

/** One request of it. */
export class Work {
  readonly #load: Workload;
  readonly #beganAt: number;
  #isCounted = true;

  constructor(load: Workload, beganAt: number) {
    this.#load = load;
    this.#beganAt = beganAt;
  }

  /** Its money is held. */
  held(): void {
    this.#load.held(this.#beganAt);
  }

  /** While an upstream has it. */
  async away<T>(answer: Promise<T>): Promise<T> {
    this.end();
    try {
      return await answer;
    } finally {
      this.#isCounted = true;
      this.#load.count(1);
    }
  }

  /** May be called again. */
  end(): void {
    if (!this.#isCounted) return;
    this.#isCounted = false;
    this.#load.count(-1);
  }
}
