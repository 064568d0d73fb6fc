// Events to the client as they come, at the client's pace, with a comment whenever nothing was said for a while. Of a stream that
// broke: what its client is answered, what is counted of it, and how it ends.
import type { RelayRequest, StreamFraming } from '../protocols/protocol.ts';
import type { UpstreamError } from '../providers/upstream-error.ts';
import type { ClientReply, RelayCall } from './call.ts';
import type { OpenStream } from './open-stream.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import type { TokenUsage } from '../neutral/usage.ts';

export const KEEP_ALIVE_MS = 15_000;
const COMMENT = Buffer.from(': keep-alive\n\n');

/** Resolves when the upstream has said all; the end of the client's stream is left to the caller, after the money. */
export function deliverStream(
  stream: OpenStream,
  reply: ClientReply,
  { keepAlive, onSpoke }: { keepAlive: KeepAlive | undefined; onSpoke?: () => void },
): Promise<UpstreamError | undefined> {
  return new Promise((resolve) => {
    let paused = false;
    if (keepAlive === undefined) reply.beginStream(stream.contentType || 'application/octet-stream');
    else keepAlive.begin();
    stream.consume({
      onBytes(bytes) {
        keepAlive?.spoke();
        onSpoke?.();
        if (reply.write(bytes) || paused) return;
        paused = true;
        stream.call?.pause();
        reply.onDrain(() => {
          paused = false;
          stream.call?.resume();
        });
      },
      onEnd: resolve,
    });
  });
}

/** Comments on a silent stream, also before the first event: after 15 s the head is sent and errors become events. */
export class KeepAlive {
  readonly #reply: ClientReply;
  readonly #framing: StreamFraming | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(reply: ClientReply, framing: StreamFraming | undefined) {
    this.#reply = reply;
    this.#framing = framing;
  }

  /** Sends the head of the stream, unless it was sent. */
  begin(): void {
    this.#reply.beginStream(this.#framing?.contentType);
  }

  /** Does nothing to one that runs. */
  start(): void {
    this.#timer ??= setInterval(() => {
      this.begin();
      this.#reply.write(this.#framing?.keepAlive ?? COMMENT);
    }, KEEP_ALIVE_MS);
  }

  spoke(): void {
    this.#timer?.refresh();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

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
