// How an upstream cuts its stream into events on the wire. Readers of protocols follow server-sent events; a stream that
// comes in other frames is put into these first. A framing knows nothing of what the events say.
import type { StreamReader } from '../../protocols/protocol.ts';
import { WrappedReader } from '../../protocols/stream/wrapped-reader.ts';

export interface UpstreamFraming {
  /** What is asked for by `accept`. */
  accept: string;
  /** How the content type of the answer begins, in lower case. */
  contentType: string;
  /** One per stream; absent where the bytes are server-sent events already, which are passed on as they are. */
  open?(): Unframer;
}

export interface Unframer {
  /** The events of all frames that are whole now, as server-sent events; undefined while none is. Throws StreamError. */
  push(chunk: Buffer): Buffer | undefined;
  /** Asked at the end of the answer: did it end with a whole frame? */
  isComplete(): boolean;
}

/** Server-sent events: what most upstreams stream in, and what every reader follows. */
export const sse: UpstreamFraming = { accept: 'text/event-stream', contentType: 'text/event-stream' };

/** Follows a stream in the frames of its upstream; the very same reader where nothing has to be unframed. */
export function readFramed(reader: StreamReader, { open }: UpstreamFraming): StreamReader {
  return open === undefined ? reader : new FramedReader(reader, open());
}

class FramedReader extends WrappedReader {
  readonly #unframer: Unframer;

  constructor(inner: StreamReader, unframer: Unframer) {
    super(inner);
    this.#unframer = unframer;
  }

  override push(chunk: Buffer): Buffer | undefined {
    const events = this.#unframer.push(chunk);
    return events === undefined ? undefined : super.push(events);
  }

  override isComplete(): boolean {
    return this.#unframer.isComplete() && super.isComplete();
  }
}
