// Whether a request may begin: bounds what is open at once, refuses before memory grows, and shares what there is between
// tokens. On the way of every request, so it only counts.
import { FairQueue, overloaded } from './fair-queue.ts';
import type { Pressure } from './pressure.ts';

export interface AdmissionSettings {
  mostOpen: number;
  pressure: Pick<Pressure, 'isLate' | 'isFull'>;
  queue?: FairQueue;
  /** Called for every request that arrives. */
  onArrival?(): void;
  /** Called with whether more than one token has called of late. */
  onShared?(isShared: boolean): void;
  now?(): number;
}

const SHARED_MS = 10_000;
/** So many open requests make nobody late: a late process still works on them. */
const FEW = 32;

export class Admission {
  readonly #settings: AdmissionSettings;
  readonly #queue: FairQueue;
  readonly #openByToken = new Map<string, number>();
  #open = 0;
  #lastToken = '';
  #sharedUntil = 0;

  constructor(settings: AdmissionSettings) {
    this.#settings = settings;
    this.#queue = settings.queue ?? new FairQueue();
  }

  get open(): number {
    return this.#open;
  }

  get waiting(): number {
    return this.#queue.waiting;
  }

  /** For every request that arrives, before its token is looked at; `leave` must follow, also when this throws. */
  arrive(): void {
    this.#open++;
    this.#settings.onArrival?.();
    if (this.#open > this.#settings.mostOpen || this.#settings.pressure.isFull) throw overloaded();
  }

  /** undefined: begin now. Throws or rejects when it may not; `end` must follow only if this did not throw. */
  begin(tokenId: string): Promise<void> | undefined {
    const { mostOpen, pressure } = this.#settings;
    const own = this.#openByToken.get(tokenId) ?? 0;
    // A token may have open as much as is still free: one alone gets half of all, and some is always left for another.
    if (own >= mostOpen - this.#open + 1) throw overloaded();
    if (pressure.isLate && own >= FEW && own * this.#openByToken.size >= this.#open - 1) throw overloaded();
    this.#noteToken(tokenId);
    const slot = this.#queue.take(tokenId);
    this.#openByToken.set(tokenId, own + 1);
    return slot;
  }

  end(tokenId: string): void {
    const own = this.#openByToken.get(tokenId) ?? 0;
    if (own > 1) this.#openByToken.set(tokenId, own - 1);
    else this.#openByToken.delete(tokenId);
  }

  leave(): void {
    this.#open--;
  }

  #noteToken(tokenId: string): void {
    const isOther = tokenId !== this.#lastToken;
    if (!isOther && this.#sharedUntil === 0) return;
    const isFirst = this.#lastToken === '';
    this.#lastToken = tokenId;
    if (isFirst) return;
    const now = this.#settings.now?.() ?? performance.now();
    const wasShared = this.#sharedUntil !== 0;
    if (isOther) this.#sharedUntil = now + SHARED_MS;
    else if (this.#sharedUntil < now) this.#sharedUntil = 0;
    const isShared = this.#sharedUntil !== 0;
    if (isShared !== wasShared) this.#settings.onShared?.(isShared);
  }
}
