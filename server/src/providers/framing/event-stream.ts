// Amazon's event streams: binary frames with a checksum of their prelude and one of the whole. A frame that is cut, changed
// or not where one must begin breaks the stream; what the messages say is for the provider.
// https://docs.aws.amazon.com/transcribe/latest/dg/streaming-setting-up.html#streaming-event-stream
import { crc32 } from 'node:zlib';
import { StreamError } from '../../protocols/protocol.ts';
import type { Unframer, UpstreamFraming } from './framing.ts';

export interface EventMessage {
  /** `exception` and `error` say that the stream has failed. */
  kind: 'event' | 'exception' | 'error';
  /** Of the event or the exception. */
  name: string;
  payload: Buffer;
}

/** One per stream: the text of whole server-sent events for a message, '' for one that says nothing. */
export type WriteEvents = () => (message: EventMessage) => string;

const TYPE = 'application/vnd.amazon.eventstream';
const PRELUDE_BYTES = 12;
const CHECKSUM_BYTES = 4;
/** More than any event of a model; a length beyond it is no length. */
const MOST_BYTES = 24 * 1024 * 1024;
/** Sizes of header values by their type; -1 for those that say it themselves. */
const VALUE_BYTES = [0, 0, 1, 2, 4, 8, -1, -1, 8, 16];
const STRING = 7;

export function eventStream(write: WriteEvents): UpstreamFraming {
  return { accept: TYPE, contentType: TYPE, open: () => new FrameReader(write()) };
}

class FrameReader implements Unframer {
  readonly #write: (message: EventMessage) => string;
  #rest: Buffer = Buffer.alloc(0);

  constructor(write: (message: EventMessage) => string) {
    this.#write = write;
  }

  push(chunk: Buffer): Buffer | undefined {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let events = '';
    for (let length = lengthOf(this.#rest); length !== undefined; length = lengthOf(this.#rest)) {
      events += this.#write(readFrame(this.#rest.subarray(0, length)));
      this.#rest = this.#rest.subarray(length);
    }
    return events === '' ? undefined : Buffer.from(events);
  }

  isComplete(): boolean {
    return this.#rest.length === 0;
  }
}

/** Of the frame at the beginning; undefined while it is not whole. */
function lengthOf(bytes: Buffer): number | undefined {
  if (bytes.length < PRELUDE_BYTES) return undefined;
  const length = bytes.readUInt32BE(0);
  if (crc32(bytes.subarray(0, 8)) !== bytes.readUInt32BE(8)) throw new StreamError('the prelude of a frame is damaged');
  if (length < PRELUDE_BYTES + CHECKSUM_BYTES + bytes.readUInt32BE(4) || length > MOST_BYTES)
    throw new StreamError('a frame has an impossible length');
  return bytes.length < length ? undefined : length;
}

function readFrame(frame: Buffer): EventMessage {
  const end = frame.length - CHECKSUM_BYTES;
  if (crc32(frame.subarray(0, end)) !== frame.readUInt32BE(end)) throw new StreamError('a frame is damaged');
  const bodyStart = PRELUDE_BYTES + frame.readUInt32BE(4);
  const headers = readHeaders(frame.subarray(PRELUDE_BYTES, bodyStart));
  const kind = headers.get(':message-type') ?? 'event';
  if (kind !== 'event' && kind !== 'exception' && kind !== 'error')
    throw new StreamError('a frame is of an unknown type');
  const name = headers.get(kind === 'event' ? ':event-type' : kind === 'error' ? ':error-code' : ':exception-type');
  return { kind, name: name ?? '', payload: frame.subarray(bodyStart, end) };
}

/** Those that are texts; all others are passed over. */
function readHeaders(bytes: Buffer): Map<string, string> {
  const headers = new Map<string, string>();
  let at = 0;
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new StreamError('the headers of a frame are damaged');
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const name = take(take(1).readUInt8()).toString('utf8');
    const type = take(1).readUInt8();
    const size = VALUE_BYTES[type];
    if (size === undefined) throw new StreamError('a frame has a header of an unknown type');
    const value = take(size === -1 ? take(2).readUInt16BE() : size);
    if (type === STRING) headers.set(name, value.toString('utf8'));
  }
  return headers;
}
