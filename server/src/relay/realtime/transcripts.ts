// What is heard is written down by another model, at its own price: money is held for the audio that is sent, and each
// transcript is settled once by the item that was heard.
import { estimateOutput } from '../../billing/estimate.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { readTranscriptUsage } from '../../protocols/realtime/index.ts';
import { type Ended, type Held, type SessionScope } from './session-scope.ts';
import { SpareHold } from './spare-hold.ts';

interface Pending {
  held: Held;
  model: string;
  ms: number;
  startedAt: number;
  /** Pieces of it that have come. */
  output: number;
}

/** A hold is for twice as much as was heard, and at least for this. */
const LEAST_MS = 60_000;
/** Of commits and clearings that the upstream has not answered. */
const MOST_MARKS = 1_000;

export class Transcripts {
  readonly #scope: SessionScope;
  /** By the model that writes. */
  readonly #spares = new Map<string, SpareHold>();
  readonly #pending = new Map<string, Pending>();
  /** The public name of the model that writes them, as the upstream shows it; undefined where none does. */
  #shown: string | undefined;
  /** What the client asked for last, until the upstream shows it. */
  #asked: string | undefined;
  /** All that was sent, and how much of that is committed or cleared, or paid for. */
  #sentMs = 0;
  #endedMs = 0;
  #paidMs = 0;
  /** Where the client committed or cleared what it had sent. Both happen when the upstream says so. */
  readonly #marks: { kind: 'commit' | 'clear'; at: number }[] = [];

  constructor(scope: SessionScope) {
    this.#scope = scope;
  }

  /** One is written, or asked for. */
  get isOn(): boolean {
    return this.#shown !== undefined || this.#asked !== undefined;
  }

  /** What was committed before is still written by the one that the upstream has shown. */
  ask(model: string | undefined): void {
    this.#asked = model;
  }

  async show(model: string | undefined): Promise<void> {
    this.#shown = model;
    if (this.#asked === model) this.#asked = undefined;
    for (const [name, spare] of this.#spares) {
      if (name === this.#shown || name === this.#asked) continue;
      const held = spare.take();
      if (held !== undefined) await this.#scope.giveBack(held);
    }
  }

  /** So much more audio is sent. */
  hear(ms: number): void {
    this.#sentMs += ms;
  }

  /** Holds for what was heard. Throws 402. */
  async prepare(): Promise<void> {
    const heard = this.#sentMs - this.#endedMs;
    for (const model of new Set([this.#shown, this.#asked])) if (model !== undefined) await this.#hold(model, heard);
  }

  async #hold(model: string, heard: number): Promise<SpareHold> {
    let spare = this.#spares.get(model);
    if (spare === undefined) this.#spares.set(model, (spare = new SpareHold(this.#scope)));
    await spare.ensure(
      ({ bill }) => bill.toHoldHeard(heard),
      () => this.#scope.hold(model, (bill) => bill.toHoldHeard(Math.max(LEAST_MS, 2 * heard))),
    );
    return spare;
  }

  /** The client commits or clears what it has sent. */
  mark(kind: 'commit' | 'clear'): void {
    if (this.#marks.length >= MOST_MARKS) this.#marks.shift();
    this.#marks.push({ kind, at: this.#sentMs });
  }

  cleared(): void {
    const index = this.#marks.findIndex(({ kind }) => kind === 'clear');
    const at = this.#marks[index]?.at;
    this.#marks.splice(0, index + 1);
    if (at !== undefined) this.#endedMs = Math.max(this.#endedMs, at);
  }

  /** The upstream has heard an item, and may begin to write it down. Throws 402 where nothing is held for it. */
  async committed(itemId: string): Promise<void> {
    const [first] = this.#marks;
    if (first?.kind === 'commit') this.#marks.shift();
    const at = first?.at ?? this.#sentMs;
    const ms = Math.max(0, at - this.#endedMs);
    this.#endedMs = Math.max(this.#endedMs, at);
    const model = this.#shown;
    if (model === undefined) return;
    // Where two items are committed in a row, the second has no hold yet.
    const held = this.#spares.get(model)?.take() ?? (await this.#hold(model, ms)).take();
    if (held === undefined) return; // the session is over
    const before = this.#pending.get(itemId);
    this.#pending.set(itemId, { held, model, ms, startedAt: performance.now(), output: 0 });
    if (before !== undefined) await this.#scope.giveBack(before.held);
  }

  spoke(itemId: string): void {
    const pending = this.#pending.get(itemId);
    if (pending !== undefined) pending.output++;
  }

  /** Settled when this resolves; an item that was settled before is not again. */
  async completed(itemId: string, { usage, letters }: { usage: unknown; letters: number }): Promise<void> {
    const pending = this.#pending.get(itemId);
    this.#pending.delete(itemId);
    if (pending === undefined) return;
    const own = { ms: pending.ms, output: estimateOutput(letters) };
    const used = pending.held.bill.usedHeard(readTranscriptUsage(usage), own, this.#sentMs - this.#paidMs);
    this.#paidMs += used.usage.audioMs;
    await this.#scope.settle(this.#ended(itemId, pending, { status: 200, errorCode: null }), used);
  }

  async failed(itemId: string): Promise<void> {
    const pending = this.#pending.get(itemId);
    this.#pending.delete(itemId);
    if (pending === undefined) return;
    await this.#scope.release(this.#ended(itemId, pending, { status: 502, errorCode: 'upstream_error' }));
  }

  /** The session is over. What a client that left had sent is written down all the same. */
  async end(why: 'left' | 'broken'): Promise<void> {
    const ends: Promise<unknown>[] = [...this.#spares.values()].map((spare) => spare.end());
    for (const [itemId, pending] of this.#pending) {
      const { code, status } = new GatewayError(why === 'left' ? 'client_gone' : 'upstream_error');
      const ended = this.#ended(itemId, pending, { status, errorCode: code });
      const used = pending.held.bill.usedHeard({ kind: 'none', isDoubtful: false }, pending);
      const isDue = why === 'left' || pending.output > 0;
      ends.push(isDue ? this.#scope.settle(ended, used) : this.#scope.release(ended));
    }
    this.#pending.clear();
    await Promise.allSettled(ends);
  }

  #ended(itemId: string, pending: Pending, end: Pick<Ended, 'status' | 'errorCode'>): Ended {
    const { held, model, startedAt } = pending;
    return { held, model, startedAt, firstByteMs: null, name: `transcript of ${itemId}`, ...end };
  }
}
