// A reply that copies what it sends.
import type { BodyReply } from '../../relay/call.ts';
import type { BodyCopy } from './body-copy.ts';

export class CopyingReply implements BodyReply {
  /** A stream of pieces, which may end with an error although it ends well. */
  isStream = false;
  readonly #reply: BodyReply;
  readonly #copy: BodyCopy;

  constructor(reply: BodyReply, copy: BodyCopy) {
    this.#reply = reply;
    this.#copy = copy;
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
    this.#copy.contentType = headers['content-type'];
    this.#copy.add(body);
    this.#reply.sendWhole(status, headers, body);
  }

  beginStream(contentType?: string): void {
    this.isStream = true;
    this.#copy.contentType ??= contentType ?? 'text/event-stream';
    this.#reply.beginStream(contentType);
  }

  beginBody(status: number, headers: Record<string, string>): void {
    this.#copy.contentType ??= headers['content-type'];
    this.#reply.beginBody(status, headers);
  }

  write(bytes: Buffer): boolean {
    this.#copy.add(bytes);
    return this.#reply.write(bytes);
  }

  onDrain(listener: () => void): void {
    this.#reply.onDrain(listener);
  }

  end(bytes: Buffer | undefined): void {
    if (bytes !== undefined) this.#copy.add(bytes);
    this.#reply.end(bytes);
  }

  forgo(): void {
    this.#reply.forgo();
  }

  breakOff(): void {
    this.#reply.breakOff();
  }

  onGone(listener: () => void): void {
    this.#reply.onGone(listener);
  }
}
