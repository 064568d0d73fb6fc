// A stream that broke: what its client is answered, what is counted of it, and how it ends.
import { GatewayError } from '../errors/gateway-error.ts';
import type { TokenUsage } from '../neutral/usage.ts';
import type { RelayRequest } from '../protocols/protocol.ts';
import type { UpstreamError } from '../providers/upstream-error.ts';
import type { RelayCall } from './call.ts';

export function streamError(failure: UpstreamError): GatewayError {
  if (failure.errorClass === 'aborted') return new GatewayError('client_gone', { cause: failure });
  if (failure.errorClass === 'timed-out') return new GatewayError('upstream_timeout', { cause: failure });
  return new GatewayError('upstream_error', { message: 'The model provider broke off the answer.', cause: failure });
}

/** Comments have begun a stream of events, and then the answer came whole. */
export function tooLate(): GatewayError {
  const message = 'The model provider does not stream this model, and its answer came too late to be sent whole.';
  return new GatewayError('upstream_error', { message });
}

/** A count reported in the middle of a stream that broke later may be behind what had come by then. */
export function atLeast(usage: TokenUsage | undefined, pieces: number): TokenUsage | undefined {
  return usage === undefined || usage.output >= pieces ? usage : { ...usage, output: pieces };
}

/** Events can say that they end badly; bytes can only break off. */
export function endBroken(
  { reply, protocol, requestId }: RelayCall,
  request: RelayRequest | undefined,
  error: GatewayError,
): void {
  const { message, type, details, publicCode } = error;
  if (request?.stream === true) {
    const { errorEvent } = request.framing ?? protocol;
    reply.end(errorEvent({ message, type, param: details.param ?? null, code: publicCode }, requestId));
  } else {
    reply.breakOff();
  }
}
