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

export class Transcripts {
  readonly #scope: SessionScope;
  readonly #spare: SpareHold;
  readonly #pending = new Map<string, Pending>();
  /** The public name of the model that writes them; undefined where none does. */
  #model: string | undefined;
  /** Sent and not yet committed. */
  #heardMs = 0;

  constructor(scope: SessionScope) {
    this.#scope = scope;
    this.#spare = new SpareHold(scope);
  }

  get model(): string | undefined {
    return this.#model;
  }

  async use(model: string | undefined): Promise<void> {
    if (model === this.#model) return;
    this.#model = model;
    const held = this.#spare.take();
    if (held !== undefined) await this.#scope.giveBack(held);
  }

  /** Before so much more audio is sent. Throws 402. */
  async hear(ms: number): Promise<void> {
    this.#heardMs += ms;
    await this.prepare();
  }

  async prepare(): Promise<void> {
    const model = this.#model;
    if (model === undefined) return;
    const heard = this.#heardMs;
    await this.#spare.ensure(
      ({ bill }) => bill.toHoldHeard(heard),
      () => this.#scope.hold(model, (bill) => bill.toHoldHeard(Math.max(LEAST_MS, 2 * heard))),
    );
  }

  /** What was sent is not to be heard after all. */
  clear(): void {
    this.#heardMs = 0;
  }

  /** The upstream has heard an item, and may begin to write it down. */
  committed(itemId: string, isWritten: boolean): void {
    const ms = this.#heardMs;
    this.#heardMs = 0;
    const model = isWritten ? this.#model : undefined;
    const held = model === undefined ? undefined : this.#spare.take();
    if (held === undefined || model === undefined) return;
    this.#pending.set(itemId, { held, model, ms, startedAt: performance.now(), output: 0 });
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
    const used = pending.held.bill.usedHeard(readTranscriptUsage(usage), own);
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
    const ends: Promise<unknown>[] = [this.#spare.end()];
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
