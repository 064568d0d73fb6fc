// How a stream is put for a client of this protocol: as events, or as one JSON array that grows.
import { parseRecord } from '../json/json-value.ts';
import type { StreamFraming, StreamReader } from '../protocol.ts';
import { eventsOf } from '../stream/sse.ts';
import { WrappedReader } from '../stream/wrapped-reader.ts';
import { errorEvent, errorText } from './error.ts';

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
    Buffer.from(`${this.#stream?.begun === true ? SEPARATOR : '['}${errorText(error)}]`);
}

/** Events become elements. */
class ArrayStream extends WrappedReader {
  /** An element has been handed out. */
  begun = false;

  override get last(): Buffer {
    const text = this.#elements(this.inner.last);
    return Buffer.from(`${text === '' && !this.begun ? '[' : text}]`);
  }

  override push(chunk: Buffer): Buffer | undefined {
    const text = this.#elements(super.push(chunk));
    if (text === '') return undefined;
    // A stream that fails with its first events is never shown to the client.
    if (this.complaint === undefined) this.begun = true;
    return Buffer.from(text);
  }

  /** What is no JSON would spoil the whole array. */
  #elements(block: Buffer | undefined): string {
    const elements = (block === undefined ? [] : eventsOf(block)).flatMap(({ data = '' }) =>
      parseRecord(data) === undefined ? [] : data,
    );
    if (elements.length === 0) return '';
    return (this.begun ? SEPARATOR : '[') + elements.join(SEPARATOR);
  }
}
