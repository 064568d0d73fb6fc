// Events to the client as they come, at the client's pace, with a comment whenever nothing was said for a while.
import type { StreamFraming } from '../protocols/protocol.ts';
import type { UpstreamError } from '../providers/upstream-error.ts';
import type { ClientReply } from './call.ts';
import type { OpenStream } from './open-stream.ts';

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
