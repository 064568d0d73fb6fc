// Events of this protocol are numbered, also the one with which the gateway ends a stream that broke.
import type { StreamFraming, StreamReader } from '../protocol.ts';
import { WrappedReader } from '../stream/wrapped-reader.ts';
import { responseErrorEvent } from './relay-stream.ts';

/** A key inside a JSON string has its quotes escaped, so these are keys. */
const NUMBER = /"sequence_number"\s*:\s*(\d{1,15})/g;

/** One per request. */
export class NumberedFraming implements StreamFraming {
  /** The stream of the last attempt: the only one whose events can have reached the client. */
  #stream: NumberedStream | undefined;

  readonly wrap = (reader: StreamReader): StreamReader => (this.#stream = new NumberedStream(reader));

  readonly errorEvent: StreamFraming['errorEvent'] = (error) =>
    responseErrorEvent(error, this.#stream?.nextNumber ?? 0);
}

/** Keeps the bytes that were shown last, and looks into them only when a number is needed. */
class NumberedStream extends WrappedReader {
  #shown: Buffer | undefined;

  get nextNumber(): number {
    const last = [...(this.#shown?.toString('latin1') ?? '').matchAll(NUMBER)].at(-1)?.[1];
    return last === undefined ? 0 : Number(last) + 1;
  }

  override push(chunk: Buffer): Buffer | undefined {
    const shown = super.push(chunk);
    // A stream that fails with its first events is never shown to the client.
    if (shown !== undefined && this.complaint === undefined) this.#shown = shown;
    return shown;
  }
}
