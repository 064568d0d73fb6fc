// The first of two tries of a call whose token may have been refused before its time: a 401 is not passed on while another
// token can be had, and then the request is sent once more.
import type { UpstreamHeaders, UpstreamRequest } from './upstream-request.ts';
import type { CallController, CallHandler } from './http1/exchange.ts';
import type { UpstreamError } from './upstream-error.ts';

/** An answer of refusal that is longer is not read to its end. */
const MOST_BYTES = 64 * 1024;

/** A call that may be sent twice. */
type RetriedCall = CallHandler & { readonly isOver: boolean; abort(error: UpstreamError): void };

export class FirstTry implements CallHandler {
  readonly #call: RetriedCall;
  /** Begins the second try; false where there is no other token. */
  readonly #again: () => boolean;
  #isOver = false;
  #bytes = 0;

  constructor(call: RetriedCall, again: () => boolean) {
    this.#call = call;
    this.#again = again;
  }

  onRequestStart(controller: CallController): void {
    this.#call.onRequestStart(controller);
  }

  onResponseStart(controller: CallController, status: number, headers: UpstreamHeaders): void {
    if (status === 401 && !this.#call.isOver && this.#again()) this.#isOver = true;
    else this.#call.onResponseStart(controller, status, headers);
  }

  onResponseData(controller: CallController, chunk: Buffer): void {
    if (!this.#isOver) return this.#call.onResponseData(controller, chunk);
    this.#bytes += chunk.length;
    if (this.#bytes > MOST_BYTES) controller.abort(new Error('the refusal is too long'));
  }

  onResponseEnd(): void {
    if (!this.#isOver) this.#call.onResponseEnd();
  }

  onResponseError(controller: CallController | undefined, error: Error): void {
    if (!this.#isOver) this.#call.onResponseError(controller, error);
  }
}

/** Sends what was renewed as soon as it is signed. */
export function sendRenewed(
  renewed: UpstreamRequest | Promise<UpstreamRequest> | undefined,
  send: (request: UpstreamRequest) => void,
  call: RetriedCall,
): boolean {
  if (renewed === undefined) return false;
  if (renewed instanceof Promise) renewed.then(send).catch((error: UpstreamError) => call.abort(error));
  else send(renewed);
  return true;
}
