// A reply that copies what it sends.
import type { BodyReply } from '../../relay/call.ts';
import { ForwardingReply } from '../../relay/forwarding-reply.ts';
import type { BodyCopy } from './body-copy.ts';

export class CopyingReply extends ForwardingReply<BodyReply> implements BodyReply {
  /** A stream of pieces, which may end with an error although it ends well. */
  isStream = false;
  readonly #copy: BodyCopy;

  constructor(inner: BodyReply, copy: BodyCopy) {
    super(inner);
    this.#copy = copy;
  }

  override sendWhole(status: number, headers: Record<string, string>, body: Buffer): void {
    this.#copy.contentType = headers['content-type'];
    this.#copy.add(body);
    super.sendWhole(status, headers, body);
  }

  override beginStream(contentType?: string): void {
    this.isStream = true;
    this.#copy.contentType ??= contentType ?? 'text/event-stream';
    super.beginStream(contentType);
  }

  beginBody(status: number, headers: Record<string, string>): void {
    this.#copy.contentType ??= headers['content-type'];
    this.inner.beginBody(status, headers);
  }

  override write(bytes: Buffer): boolean {
    this.#copy.add(bytes);
    return super.write(bytes);
  }

  override end(bytes: Buffer | undefined): void {
    if (bytes !== undefined) this.#copy.add(bytes);
    super.end(bytes);
  }
}
