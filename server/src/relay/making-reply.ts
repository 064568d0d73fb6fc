// A reply that looks at what goes through it for ids of what the upstream made, and lets no client see the end of the answer
// before they are kept. An answer that was paid for goes out even when they could not be.
import type { MadeObject, MadeReader } from '../neutral/made-object.ts';
import type { ClientReply } from './call.ts';

export class MakingReply implements ClientReply {
  /** Resolves when everything was handed on. */
  sent: Promise<void> = Promise.resolve();
  readonly #reply: ClientReply;
  readonly #made: MadeReader;
  readonly #keep: (objects: readonly MadeObject[]) => Promise<void>;
  readonly #found: MadeObject[] = [];

  constructor(reply: ClientReply, made: MadeReader, keep: (objects: readonly MadeObject[]) => Promise<void>) {
    this.#reply = reply;
    this.#made = made;
    this.#keep = keep;
  }

  get begun(): boolean {
    return this.#reply.begun;
  }

  get gone(): boolean {
    return this.#reply.gone;
  }

  setHeader(name: string, value: string | undefined): void {
    this.#reply.setHeader(name, value);
  }

  sendWhole(status: number, headers: Record<string, string>, body: Buffer): void {
    this.#found.push(...this.#made.whole(body));
    this.#after(() => this.#reply.sendWhole(status, headers, body));
  }

  beginStream(contentType?: string): void {
    this.#reply.beginStream(contentType);
  }

  write(bytes: Buffer): boolean {
    this.#found.push(...this.#made.events(bytes));
    return this.#reply.write(bytes);
  }

  onDrain(listener: () => void): void {
    this.#reply.onDrain(listener);
  }

  end(bytes: Buffer | undefined): void {
    if (bytes !== undefined) this.#found.push(...this.#made.events(bytes));
    this.#after(() => this.#reply.end(bytes));
  }

  forgo(): void {
    this.#reply.forgo();
  }

  breakOff(): void {
    this.#after(() => this.#reply.breakOff());
  }

  onGone(listener: () => void): void {
    this.#reply.onGone(listener);
  }

  #after(send: () => void): void {
    if (this.#found.length === 0) return send();
    this.sent = this.#keep(this.#found.splice(0)).then(send, send);
  }
}
