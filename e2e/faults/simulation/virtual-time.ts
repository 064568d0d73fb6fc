// Time that passes only when everybody waits. Timers belong to the simulated process that set them: when it crashes, they
// never ring, and whatever awaited them is as gone as the process.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from '../../../server/src/shared/clock.ts';

export interface SimulatedProcess {
  id: string;
  isAlive: boolean;
  /** Stopped until then: its timers ring late. */
  stoppedUntil: number;
}

interface Timer {
  at: number;
  order: number;
  owner: SimulatedProcess | undefined;
  callback: () => void;
  /** Rings again after so long. */
  everyMs: number | undefined;
  isCancelled: boolean;
}

const realImmediate = setImmediate;
const START_MS = 1_760_000_000_000;

export class VirtualTime implements Clock {
  #now = START_MS;
  #order = 0;
  #timers: Timer[] = [];
  readonly #owner = new AsyncLocalStorage<SimulatedProcess>();

  now(): number {
    return this.#now;
  }

  /** Runs the work as that process; all that comes of it is the process's too. */
  as<T>(owner: SimulatedProcess, work: () => T): T {
    return this.#owner.run(owner, work);
  }

  wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      this.#set(resolve, milliseconds, undefined);
    });
  }

  /** Lets that much time pass. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    await settled();
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.#now = Math.max(this.#now, next.at);
      if (next.everyMs !== undefined)
        this.#insert({ ...next, at: this.#now + next.everyMs, order: this.#order++ }, next);
      if (next.owner === undefined) next.callback();
      else this.#owner.run(next.owner, next.callback);
      await settled();
    }
    this.#now = end;
  }

  /** Puts virtual timers in the place of the real ones; returns how to put them back. */
  install(): () => void {
    const real = { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval };
    const clear = (handle: { timer?: Timer } | undefined): void => {
      if (handle?.timer !== undefined) handle.timer.isCancelled = true;
    };
    Object.defineProperty(performance, 'now', { value: () => this.#now - START_MS, configurable: true });
    Object.assign(globalThis, {
      setTimeout: (callback: () => void, ms = 0) => this.#handle(this.#set(callback, ms, undefined)),
      setInterval: (callback: () => void, ms = 0) => this.#handle(this.#set(callback, ms, Math.max(1, ms))),
      setImmediate: (callback: () => void) => this.#handle(this.#set(callback, 0, undefined)),
      clearTimeout: clear,
      clearInterval: clear,
    });
    return () => {
      Object.assign(globalThis, real);
      Reflect.deleteProperty(performance, 'now'); // the real one is its prototype's
    };
  }

  #handle(timer: Timer): object {
    const handle = { timer, unref: () => handle, ref: () => handle };
    return handle;
  }

  #set(callback: () => void, milliseconds: number, everyMs: number | undefined): Timer {
    const timer: Timer = {
      at: this.#now + Math.max(0, milliseconds),
      order: this.#order++,
      owner: this.#owner.getStore(),
      callback,
      everyMs,
      isCancelled: false,
    };
    this.#insert(timer);
    return timer;
  }

  /** `again`: the same timer, whose handle is known to others. */
  #insert(timer: Timer, again?: Timer): void {
    const kept = again === undefined ? timer : Object.assign(again, timer);
    let [low, high] = [0, this.#timers.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.#timers[middle];
      if (other !== undefined && (other.at < kept.at || (other.at === kept.at && other.order < kept.order)))
        low = middle + 1;
      else high = middle;
    }
    this.#timers.splice(low, 0, kept);
  }

  #next(end: number): Timer | undefined {
    for (;;) {
      const [first] = this.#timers;
      if (first === undefined || first.at > end) return undefined;
      this.#timers.shift();
      if (first.isCancelled || first.owner?.isAlive === false) continue;
      const { stoppedUntil = 0 } = first.owner ?? {};
      if (stoppedUntil <= Math.max(this.#now, first.at)) return first;
      this.#insert({ ...first, at: stoppedUntil, order: this.#order++ }, first);
    }
  }
}

/** When all that can go on without time has gone on. */
function settled(): Promise<void> {
  return new Promise((resolve) => {
    realImmediate(resolve);
  });
}
