// A server with some cores, as the rest of a simulation meets it: work waits in one queue, each piece keeps one core busy.
import type { VirtualTime } from './virtual-time.ts';

export class Station {
  readonly #time: VirtualTime;
  readonly #cores: number;
  readonly #queue: { ms: number; done(): void }[] = [];
  #next = 0;
  #busy = 0;
  /** Core milliseconds of work that has begun. */
  worked = 0;
  served = 0;
  longestQueue = 0;

  constructor(time: VirtualTime, cores: number) {
    this.#time = time;
    this.#cores = cores;
  }

  do(ms: number, done: () => void): void {
    if (this.#busy < this.#cores) this.#begin(ms, done);
    else {
      this.#queue.push({ ms, done });
      this.longestQueue = Math.max(this.longestQueue, this.#queue.length - this.#next);
    }
  }

  /** Part of all cores that was in use from the beginning until now; above 1 where work has begun that is not over. */
  get utilisation(): number {
    return this.worked / (this.#cores * Math.max(1, this.#time.now));
  }

  #begin(ms: number, done: () => void): void {
    this.#busy++;
    this.served++;
    this.worked += ms;
    this.#time.after(ms, () => {
      this.#busy--;
      const next = this.#queue[this.#next];
      if (next !== undefined) {
        this.#next++;
        if (this.#next > 10_000) {
          this.#queue.splice(0, this.#next);
          this.#next = 0;
        }
        this.#begin(next.ms, next.done);
      }
      done();
    });
  }
}
