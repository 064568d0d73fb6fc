// Sends a request as soon as it is signed, and ends it when the whole request is cut off. Signing counts as time of the call.
import type { UpstreamClient } from './call-upstream.ts';
import type { UpstreamRequest } from './upstream-request.ts';
import { unsent, type UpstreamError } from './upstream-error.ts';
import type { CollectedAnswer } from './collect-answer.ts';
import type { Cancellation } from './cancellation.ts';

export interface Sending {
  client: UpstreamClient;
  cancellation: Cancellation;
  answer: CollectedAnswer;
  /** For the whole request, over all attempts. */
  totalMs: number;
}

export function sendUpstream(sending: Sending, request: UpstreamRequest | Promise<UpstreamRequest>): void {
  if (!(request instanceof Promise)) return send(sending, request);
  const { cancellation, answer, totalMs } = sending;
  cancellation.limit(totalMs);
  cancellation.follow((reason) => answer.onFail(unsent(reason)));
  request
    .then((signed) => {
      if (cancellation.reason === undefined) send(sending, signed);
    })
    .catch((error: UpstreamError) => answer.onFail(error));
}

function send({ client, cancellation, answer, totalMs }: Sending, request: UpstreamRequest): void {
  const call = client.call(request, answer);
  answer.call = call;
  cancellation.call = call;
  cancellation.limit(totalMs);
  cancellation.follow((reason) => call.abort(reason));
}
