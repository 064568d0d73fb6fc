// Whether this process has more to do than it can: a standing delay of the event loop, or memory near its end. It is looked at
// only while there is any load: an idle process sleeps.
import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';

const LATE_MS = 200;
/** One long step is no overload; delays that stay are. */
const LATE_SAMPLES = 5;
const MEMORY_MS = 1_000;
const FULL = 0.85;
/** What an open request may take, with its buffers; measured with open streams, rounded up twice. */
const REQUEST_BYTES = 256 * 1024;
const [FEWEST_OPEN, MOST_OPEN] = [500, 10_000];

export interface MemoryBounds {
  /** Of this process's share of the machine, and of its own heap. */
  rss: number;
  heap: number;
}

export function memoryBounds(workers: number): MemoryBounds {
  const constrained = process.constrainedMemory();
  const machine = totalmem();
  const all = constrained > 0 && constrained < machine ? constrained : machine;
  return { rss: all / workers, heap: getHeapStatistics().heap_size_limit };
}

/** So many requests fit into half of the memory. */
export function mostOpenRequests({ rss, heap }: MemoryBounds): number {
  const fitting = Math.floor(Math.min(rss, heap) / 2 / REQUEST_BYTES);
  return Math.min(MOST_OPEN, Math.max(FEWEST_OPEN, fitting));
}

export class Pressure {
  readonly #bounds: MemoryBounds;
  readonly #memoryUsage: () => { rss: number; heapUsed: number };
  #lastSample = 0;
  #lastMemory = 0;
  #lateSamples = 0;
  #isFull = false;

  constructor(bounds: MemoryBounds, memoryUsage = (): { rss: number; heapUsed: number } => process.memoryUsage()) {
    this.#bounds = bounds;
    this.#memoryUsage = memoryUsage;
  }

  /** Requests wait for the processor: a token that has many may not begin more. */
  get isLate(): boolean {
    return this.#lateSamples >= LATE_SAMPLES;
  }

  /** Nothing new may begin. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Samples follow from now on. */
  begin(now: number): void {
    this.#lastSample = now;
    this.#lateSamples = 0;
  }

  sample(now: number): void {
    const late = now - this.#lastSample - SAMPLE_MS;
    this.#lastSample = now;
    this.#lateSamples = late > LATE_MS ? this.#lateSamples + 1 : 0;
    if (now - this.#lastMemory < MEMORY_MS) return;
    this.#lastMemory = now;
    const { rss, heapUsed } = this.#memoryUsage();
    this.#isFull = rss > FULL * this.#bounds.rss || heapUsed > FULL * this.#bounds.heap;
  }
}

export interface LoadWatchSettings {
  /** After a rest, in which so many samples were left out. */
  onBegin(now: number, missed: number): void;
  /** Called with how many milliseconds each look came too late. */
  onLook(lateMs: number): void;
  onSample(now: number): void;
  /** Until the next request there is nothing to see. */
  isAtRest(): boolean;
  now?(): number;
}

const LOOK_MS = 10;
export const SAMPLE_MS = 100;
/** Without a request. */
const REST_MS = 2_000;

/** A request only notes that it came. */
export class LoadWatch {
  readonly #settings: LoadWatchSettings;
  readonly #now: () => number;
  #timer: NodeJS.Timeout | undefined;
  #hasArrivals = false;
  #lastArrival = 0;
  #lastLook = 0;
  #lastSample = 0;

  constructor(settings: LoadWatchSettings) {
    this.#settings = settings;
    this.#now = settings.now ?? (() => performance.now());
  }

  /** For every request. */
  arrived(): void {
    this.#hasArrivals = true;
    if (this.#timer === undefined) this.#begin();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #begin(): void {
    const now = this.#now();
    const missed = Math.floor((now - this.#lastSample) / SAMPLE_MS);
    [this.#lastLook, this.#lastSample] = [now, now];
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
    this.#settings.onBegin(now, missed);
  }

  #look(): void {
    const now = this.#now();
    this.#settings.onLook(Math.max(0, now - this.#lastLook - LOOK_MS));
    this.#lastLook = now;
    if (now - this.#lastSample < SAMPLE_MS) return;
    this.#lastSample = now;
    this.#settings.onSample(now);
    if (this.#hasArrivals) this.#lastArrival = now;
    this.#hasArrivals = false;
    if (now - this.#lastArrival >= REST_MS && this.#settings.isAtRest()) this.stop();
  }
}
