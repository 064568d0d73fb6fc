// How a stream is put for a client of this protocol: as events, or as one JSON array that grows.
import type { StreamFraming, StreamReader, UpstreamComplaint } from '../../protocol.ts';
import { eventsOf } from '../../sse.ts';
import type { TokenUsage } from '../../../neutral/usage.ts';
import { errorEvent } from '../error.ts';

export type ContentFraming = 'events' | 'array';

const SEPARATOR = ',\r\n';

/** The vendor's libraries fail on comments, and forget a conversation in which a piece had no part: it has an empty one. */
const NOTHING_YET = { candidates: [{ content: { parts: [{ text: '' }], role: 'model' }, index: 0 }] };

const EVENTS: StreamFraming = {
  contentType: 'text/event-stream',
  keepAlive: Buffer.from(`data: ${JSON.stringify(NOTHING_YET)}\n\n`),
  errorEvent,
};

/** One per request. */
export function frameStream(framing: ContentFraming): StreamFraming {
  return framing === 'events' ? EVENTS : new ArrayFraming();
}

class ArrayFraming implements StreamFraming {
  readonly contentType = 'application/json';
  readonly keepAlive = Buffer.from('\n');
  /** The stream of the last attempt: the only one whose bytes can have reached the client. */
  #stream: ArrayStream | undefined;

  readonly wrap = (reader: StreamReader): StreamReader => (this.#stream = new ArrayStream(reader));

  readonly errorEvent: StreamFraming['errorEvent'] = (error) =>
    Buffer.from(`${this.#stream?.begun === true ? SEPARATOR : '['}${errorEvent(error).toString()}]`);
}

/** Events become elements. */
export class ArrayStream implements StreamReader {
  /** An element has been handed out. */
  begun = false;
  readonly #reader: StreamReader;

  constructor(reader: StreamReader) {
    this.#reader = reader;
  }

  get started(): boolean {
    return this.#reader.started;
  }

  get ended(): boolean {
    return this.#reader.ended;
  }

  get usage(): TokenUsage | undefined {
    return this.#reader.usage;
  }

  get outputPieces(): number {
    return this.#reader.outputPieces;
  }

  get complaint(): UpstreamComplaint | undefined {
    return this.#reader.complaint;
  }

  get last(): Buffer {
    const text = this.#elements(this.#reader.last);
    return Buffer.from(`${text === '' && !this.begun ? '[' : text}]`);
  }

  push(chunk: Buffer): Buffer | undefined {
    const text = this.#elements(this.#reader.push(chunk));
    if (text === '') return undefined;
    // A stream that fails with its first events is never shown to the client.
    if (this.#reader.complaint === undefined) this.begun = true;
    return Buffer.from(text);
  }

  isComplete(): boolean {
    return this.#reader.isComplete();
  }

  #elements(block: Buffer | undefined): string {
    const elements = block === undefined ? [] : eventsOf(block).flatMap(({ data }) => data ?? []);
    if (elements.length === 0) return '';
    return (this.begun ? SEPARATOR : '[') + elements.join(SEPARATOR);
  }
}
