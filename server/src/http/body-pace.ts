// How slowly a body may come: it is given up when it falls silent, and when it only trickles. All open bodies are looked at
// once a second; most have come before that, and a timer for each would cost more than reading it.
import { type Member, IndexedSet } from '../shared/runtime/indexed-set.ts';

/** A body that stops coming for this many seconds is given up. */
const SILENCE_SECONDS = 30;
/** And so is one that brings less than this in each minute. */
const PACE_SECONDS = 60;
const PACE_BYTES = 256 * 1024;

const open = new IndexedSet<BodyPace>();
let clock: NodeJS.Timeout | undefined;

export class BodyPace implements Member {
  index: number | undefined;
  readonly #expected: number | undefined;
  readonly #onTooSlow: () => void;
  #bytes = 0;
  #pacedBytes = 0;
  #silence = 0;
  #age = 0;
  #held = false;

  constructor(expected: number | undefined, onTooSlow: () => void) {
    this.#expected = expected;
    this.#onTooSlow = onTooSlow;
    open.add(this);
    clock ??= setInterval(lookAtOpenBodies, 1000);
  }

  came(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes !== this.#expected) this.#silence = 0;
  }

  /** While the gateway itself keeps the client waiting, the client is not slow. */
  hold(): void {
    this.#held = true;
  }

  release(): void {
    this.#held = false;
    this.#silence = 0;
  }

  stop(): void {
    open.delete(this);
  }

  look(): void {
    if (this.#held) this.#silence = 0;
    else if (++this.#silence > SILENCE_SECONDS) return this.#onTooSlow();
    if (++this.#age % PACE_SECONDS !== 0) return;
    if (!this.#held && this.#bytes - this.#pacedBytes < PACE_BYTES) return this.#onTooSlow();
    this.#pacedBytes = this.#bytes;
  }
}

/** Once a second, by the clock that the first open body starts. */
export function lookAtOpenBodies(): void {
  for (const pace of open) pace.look();
  if (open.size > 0) return;
  clearInterval(clock);
  clock = undefined;
}
