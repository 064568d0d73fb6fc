// Framing of server-sent events. Upstreams cut their bytes anywhere, also inside a character or between CR and LF; here
// they become whole events again, without looking at what the events say.
const LF = 10;
const CR = 13;
/** The largest single event that is passed on. */
const MAX_EVENT_BYTES = 32 * 1024 * 1024;

export class EventAligner {
  #rest: Buffer[] = [];
  #restBytes = 0;

  /** Returns the bytes up to the end of the last complete event, undefined while there is none. */
  push(chunk: Buffer): Buffer | undefined {
    const { length } = chunk;
    if (this.#restBytes === 0 && length > 1 && chunk[length - 1] === LF && chunk[length - 2] === LF) return chunk;
    if (this.#restBytes > 0 && !hasLineEnd(chunk)) return this.#keep(chunk);
    const bytes = this.#restBytes === 0 ? chunk : Buffer.concat([...this.#rest, chunk]);
    this.#rest = [];
    this.#restBytes = 0;
    const end = lastEventEnd(bytes);
    if (end < bytes.length) this.#keep(bytes.subarray(end));
    return end === 0 ? undefined : bytes.subarray(0, end);
  }

  /** Bytes of an event that never ended. */
  get unfinished(): Buffer {
    return Buffer.concat(this.#rest);
  }

  #keep(chunk: Buffer): undefined {
    this.#rest.push(chunk);
    this.#restBytes += chunk.length;
    if (this.#restBytes > MAX_EVENT_BYTES) throw new RangeError('an event of the stream is too large');
  }
}

function hasLineEnd(bytes: Buffer): boolean {
  return bytes.includes(LF) || bytes.includes(CR);
}

/** Position after the last empty line; 0 when there is none. */
function lastEventEnd(bytes: Buffer): number {
  for (let at = bytes.length - 1; at >= 1; at--) {
    const byte = bytes[at];
    if (byte !== LF && byte !== CR) continue;
    if (byte === CR && at === bytes.length - 1) continue; // its LF may follow
    const before = byte === LF && bytes[at - 1] === CR ? at - 2 : at - 1;
    if (before < 0) return 0;
    const previous = bytes[before];
    // A CR directly before an LF is the same line end, not an empty line.
    if (previous === LF || (previous === CR && bytes[before + 1] !== LF)) return at + 1;
  }
  return 0;
}

const DATA = Buffer.from('data:');

export interface SseEvent {
  /** The event's bytes with its closing empty line. */
  bytes: Buffer;
  /** Joined `data:` lines; undefined for comments and other fields alone. */
  data: string | undefined;
}

/** Splits aligned bytes into events. */
export function* eventsOf(block: Buffer): Generator<SseEvent> {
  let start = 0;
  let lineStart = 0;
  let data: string | undefined;
  while (lineStart < block.length) {
    const { lineEnd, next } = endOfLine(block, lineStart);
    if (lineEnd === lineStart) {
      if (lineStart > start) yield { bytes: block.subarray(start, next), data };
      start = next;
      data = undefined;
    } else if (block.subarray(lineStart, lineStart + DATA.length).equals(DATA)) {
      const from = lineStart + DATA.length + (block[lineStart + DATA.length] === 32 ? 1 : 0);
      const line = block.toString('utf8', from, lineEnd);
      data = data === undefined ? line : `${data}\n${line}`;
    }
    lineStart = next;
  }
}

function endOfLine(bytes: Buffer, from: number): { lineEnd: number; next: number } {
  const lf = bytes.indexOf(LF, from);
  const cr = bytes.indexOf(CR, from);
  if (cr !== -1 && (lf === -1 || cr < lf)) return { lineEnd: cr, next: bytes[cr + 1] === LF ? cr + 2 : cr + 1 };
  if (lf === -1) return { lineEnd: bytes.length, next: bytes.length };
  return { lineEnd: lf, next: lf + 1 };
}
