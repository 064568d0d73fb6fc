// A reply that keeps what it sends, so that the same request gets it again. A client that leaves does not end the call: it
// left a key to ask for the answer by.
import type { Claim } from '../../access/idempotency/claim.ts';
import type { BodyReply, ClientReply } from '../../relay/call.ts';
import { ForwardingReply } from '../../relay/forwarding-reply.ts';

/** Of the moment, not of the answer. */
const PASSING_HEADERS = /ratelimit/;

/** Says that nothing was carried out for this request, and which one it was carried out for. */
export function markReplayed(reply: ClientReply, firstRequestId: string): void {
  reply.setHeader('idempotent-replayed', 'true');
  reply.setHeader('x-tollgate-first-request-id', firstRequestId);
}

export class RecordingReply extends ForwardingReply<BodyReply> implements BodyReply {
  /** Resolves when everything was handed on. */
  sent: Promise<void> = Promise.resolve();
  readonly #requestId: string;
  readonly #headers = new Map<string, string>();
  readonly #waiting: (() => void)[] = [];
  #claim: Claim | undefined;
  #contentType: string | undefined;
  #left = false;

  constructor(inner: BodyReply, requestId: string) {
    super(inner);
    this.#requestId = requestId;
    inner.onGone(() => {
      this.#left = true;
      for (const listener of this.#waiting.splice(0)) listener();
    });
  }

  /** From here on the answer is this claim's. */
  keepFor(claim: Claim): void {
    this.#claim = claim;
  }

  /** Never: the call goes on without its client. */
  override get gone(): boolean {
    return false;
  }

  override setHeader(name: string, value: string | undefined): void {
    if (value === undefined) this.#headers.delete(name);
    else if (!PASSING_HEADERS.test(name)) this.#headers.set(name, value);
    super.setHeader(name, value);
  }

  override sendWhole(status: number, headers: Record<string, string>, body: Buffer): void {
    const made = this.#claim?.made;
    if (made !== undefined) markReplayed(this.inner, made.requestId);
    this.#claim?.add(body);
    this.#after(status, { form: 'whole', headers: { ...Object.fromEntries(this.#headers), ...headers } }, () =>
      super.sendWhole(status, headers, body),
    );
  }

  override beginStream(contentType?: string): void {
    if (!this.begun) this.#contentType = contentType;
    super.beginStream(contentType);
  }

  /** Only for bodies that are asked for by GET, which have no key: such an answer is not kept. */
  beginBody(status: number, headers: Record<string, string>): void {
    this.forgo();
    this.inner.beginBody(status, headers);
  }

  override write(bytes: Buffer): boolean {
    this.#claim?.add(bytes);
    return this.#left || super.write(bytes);
  }

  override onDrain(listener: () => void): void {
    if (this.#left) return listener();
    this.#waiting.push(listener);
    super.onDrain(() => {
      for (const waiting of this.#waiting.splice(0)) waiting();
    });
  }

  override end(bytes: Buffer | undefined): void {
    if (bytes !== undefined) this.#claim?.add(bytes);
    this.#afterPieces('stream', () => super.end(bytes));
  }

  override breakOff(): void {
    this.#afterPieces('broken', () => super.breakOff());
  }

  override onGone(): void {}

  /** A repeated request, or one that waits for this answer, is carried out again. */
  override forgo(): void {
    const claim = this.#claim;
    this.#claim = undefined;
    if (claim === undefined) return;
    this.sent = this.sent.then(() => claim.forget()).catch(() => {}); // it is free when this process ends, at the latest
  }

  /** Also what ended badly was paid for, unless `forgo` came before. */
  #afterPieces(form: 'stream' | 'broken', send: () => void): void {
    this.#after(200, { form, contentType: this.#contentType, headers: Object.fromEntries(this.#headers) }, send);
  }

  /** The answer is paid for: it goes out even when it could not be kept. */
  #after(status: number, head: Omit<Parameters<Claim['keep']>[1], 'requestId'>, send: () => void): void {
    if (this.#claim === undefined) return send();
    const requestId = this.#claim.made?.requestId ?? this.#requestId;
    this.sent = this.#claim.keep(status, { ...head, requestId }).then(send, send);
  }
}
