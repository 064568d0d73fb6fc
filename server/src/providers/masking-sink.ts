// Between the wire and the reader of an answer: what an upstream repeats of our own secrets is masked before anybody sees
// it, be it cut in two by the pieces that it comes in.
import type { SecretMask } from '../shared/secret-mask.ts';
import type { UpstreamHeaders, UpstreamSink } from './upstream-request.ts';
import type { UpstreamError } from './upstream-error.ts';

const TYPE = 'content-type';

export class MaskingSink implements UpstreamSink {
  readonly #sink: UpstreamSink;
  readonly #mask: SecretMask;
  /** The begin of a secret, perhaps. */
  #held: Buffer | undefined;

  constructor(sink: UpstreamSink, mask: SecretMask) {
    this.#sink = sink;
    this.#mask = mask;
  }

  onStart(status: number, headers: UpstreamHeaders): void {
    this.#sink.onStart(status, this.#maskHeaders(headers));
  }

  onData(chunk: Buffer): void {
    const bytes = this.#held === undefined ? chunk : Buffer.concat([this.#held, chunk]);
    this.#held = undefined;
    this.#mask.hide(bytes);
    const open = this.#mask.openEnd(bytes);
    if (open === 0) return this.#sink.onData(bytes);
    this.#held = Buffer.from(bytes.subarray(bytes.length - open)); // the memory of a piece is used again
    if (open < bytes.length) this.#sink.onData(bytes.subarray(0, bytes.length - open));
  }

  onEnd(): void {
    if (this.#held !== undefined) this.#sink.onData(this.#held);
    this.#sink.onEnd();
  }

  onFail(error: UpstreamError): void {
    this.#sink.onFail(error);
  }

  /** Of the head only the type of the content goes further. */
  #maskHeaders(headers: UpstreamHeaders): UpstreamHeaders {
    const type = headers[TYPE];
    if (type === undefined) return headers;
    // Some write it more than once.
    const shown = typeof type === 'string' ? this.#mask.hideText(type) : type.map((one) => this.#mask.hideText(one));
    return shown === type ? headers : { ...headers, [TYPE]: shown };
  }
}
