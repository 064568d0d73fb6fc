// A reply that looks at what goes through it for ids of what the upstream made, and lets no client see the end of the answer
// before they are stored. An answer that was paid for goes out even when they could not be.
import type { MadeObject, MadeReader } from '../../neutral/made-object.ts';
import type { ClientReply } from '../call.ts';
import { ForwardingReply } from '../forwarding-reply.ts';

export class MakingReply extends ForwardingReply {
  /** Resolves when everything was handed on. */
  sent: Promise<void> = Promise.resolve();
  readonly #made: MadeReader;
  readonly #store: (objects: readonly MadeObject[]) => Promise<void>;
  readonly #found: MadeObject[] = [];

  constructor(inner: ClientReply, made: MadeReader, store: (objects: readonly MadeObject[]) => Promise<void>) {
    super(inner);
    this.#made = made;
    this.#store = store;
  }

  override sendWhole(status: number, headers: Record<string, string>, body: Buffer): void {
    this.#found.push(...this.#made.whole(body));
    this.#after(() => super.sendWhole(status, headers, body));
  }

  override write(bytes: Buffer): boolean {
    this.#found.push(...this.#made.events(bytes));
    return super.write(bytes);
  }

  override end(bytes: Buffer | undefined): void {
    if (bytes !== undefined) this.#found.push(...this.#made.events(bytes));
    this.#after(() => super.end(bytes));
  }

  override breakOff(): void {
    this.#after(() => super.breakOff());
  }

  #after(send: () => void): void {
    if (this.#found.length === 0) return send();
    this.sent = this.#store(this.#found.splice(0)).then(send, send);
  }
}
