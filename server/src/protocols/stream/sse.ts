// Framing of server-sent events. Upstreams cut their bytes anywhere, also inside a character or between CR and LF; here
// they become whole events again, without looking at what the events say.
const LF = 10;
const CR = 13;
/** The largest single event that is passed on. */
const MAX_EVENT_BYTES = 32 * 1024 * 1024;

/** Line ends that may lie before a chunk and form an empty line with what it begins with. */
const LOOK_BACK = 3;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

export class EventAligner {
  #rest: Buffer[] = [];
  #restBytes = 0;
  #begun = false;

  /** Returns the bytes up to the end of the last complete event, undefined while there is none. */
  push(chunk: Buffer): Buffer | undefined {
    if (!this.#begun) {
      this.#begun = true;
      if (chunk.subarray(0, 3).equals(BYTE_ORDER_MARK)) return this.push(chunk.subarray(3));
    }
    const { length } = chunk;
    if (this.#restBytes === 0 && length > 1 && chunk[length - 1] === LF && chunk[length - 2] === LF) return chunk;
    const before = this.#lastBytes();
    const found = lastEventEnd(before.length === 0 ? chunk : Buffer.concat([before, chunk])) - before.length;
    const end = this.#restBytes === 0 ? Math.max(found, emptyLines(chunk)) : found;
    if (end <= 0) return this.#keep(chunk);
    const whole = [...this.#rest, chunk.subarray(0, end)];
    this.#rest = [];
    this.#restBytes = 0;
    if (end < length) this.#keep(chunk.subarray(end));
    return whole.length === 1 ? whole[0] : Buffer.concat(whole);
  }

  /** What has come of an event that never ended. */
  get unfinished(): Buffer {
    return Buffer.concat(this.#rest);
  }

  #lastBytes(): Buffer {
    const last = this.#rest.at(-1);
    if (last === undefined) return Buffer.alloc(0);
    if (last.length >= LOOK_BACK || this.#rest.length === 1) return last.subarray(-LOOK_BACK);
    return Buffer.concat(this.#rest.slice(-LOOK_BACK)).subarray(-LOOK_BACK);
  }

  #keep(chunk: Buffer): undefined {
    this.#rest.push(chunk);
    this.#restBytes += chunk.length;
    if (this.#restBytes > MAX_EVENT_BYTES) throw new RangeError('an event of the stream is too large');
  }
}

/** Line ends at the beginning, where no event is under way, belong to no event: they pass by themselves. */
function emptyLines(bytes: Buffer): number {
  let count = 0;
  while (bytes[count] === LF || bytes[count] === CR) count++;
  return count;
}

/** Position after the last empty line; 0 when there is none. */
function lastEventEnd(bytes: Buffer): number {
  for (let at = bytes.length - 1; at >= 1; at--) {
    const byte = bytes[at];
    if (byte !== LF && byte !== CR) continue;
    const before = byte === LF && bytes[at - 1] === CR ? at - 2 : at - 1;
    if (before < 0) return 0;
    const previous = bytes[before];
    // A CR directly before an LF is the same line end, not an empty line.
    if (previous === LF || (previous === CR && bytes[before + 1] !== LF)) return at + 1;
  }
  return 0;
}

const DATA = Buffer.from('data:');
/** Closes the last event of an answer that ended without it. */
export const EVENT_CLOSE = Buffer.from('\n\n');

export interface SseEvent {
  /** The event's bytes with its closing empty line. */
  bytes: Buffer;
  /** Joined `data:` lines; undefined for comments and other fields alone. */
  data: string | undefined;
}

/** The value of the event's `event:` line; few readers need it, so it is not read ahead. */
export function eventName({ bytes }: SseEvent): string | undefined {
  return /(?:^|[\r\n])event: ?([^\r\n]*)/.exec(bytes.toString('utf8'))?.[1];
}

/** Splits aligned bytes into events. Empty lines before an event go with it, so that no byte is lost. */
export function eventsOf(block: Buffer): SseEvent[] {
  const events: SseEvent[] = [];
  let start = 0;
  let hasLines = false;
  let data: string[] = [];
  forEachLine(block, (lineStart, lineEnd, next) => {
    if (lineEnd !== lineStart) {
      hasLines = true;
      if (!isData(block, lineStart)) return;
      const from = lineStart + DATA.length + (block[lineStart + DATA.length] === 32 ? 1 : 0);
      data.push(block.toString('utf8', from, lineEnd));
    } else if (hasLines) {
      events.push({ bytes: block.subarray(start, next), data: data.length === 0 ? undefined : data.join('\n') });
      start = next;
      hasLines = false;
      data = [];
    }
  });
  return events;
}

/** An event that only lacks its closing empty line: its data is said to be whole by `isWhole`. A comment is whole as it is. */
export function isUnclosed(unfinished: Buffer, isWhole: (data: string) => boolean): boolean {
  if (unfinished.length === 0) return false;
  const [event] = eventsOf(Buffer.concat([unfinished, EVENT_CLOSE]));
  if (event?.data !== undefined) return isWhole(event.data);
  return event !== undefined && /^[\r\n]*:/.test(unfinished.toString('latin1'));
}

/** How many events have data, without reading it. */
export function countEvents(block: Buffer): number {
  // The usual: one event of one line.
  if (block.indexOf(LF) === block.length - 2 && isData(block, 0) && !block.includes(CR)) return 1;
  let count = 0;
  let hasData = false;
  forEachLine(block, (start, end) => {
    if (end !== start) hasData ||= isData(block, start);
    else {
      if (hasData) count++;
      hasData = false;
    }
  });
  return count;
}

function isData(block: Buffer, at: number): boolean {
  for (let index = 0; index < DATA.length; index++) if (block[at + index] !== DATA[index]) return false;
  return true;
}

function forEachLine(bytes: Buffer, visit: (start: number, end: number, next: number) => void): void {
  let lf = -2;
  let cr = -2;
  for (let start = 0; start < bytes.length;) {
    // Each kind of line end is searched for again only when the one found is behind us.
    if (lf !== -1 && lf < start) lf = bytes.indexOf(LF, start);
    if (cr !== -1 && cr < start) cr = bytes.indexOf(CR, start);
    const found = cr !== -1 && (lf === -1 || cr < lf) ? cr : lf;
    const end = found === -1 ? bytes.length : found;
    const next = found === cr && bytes[end + 1] === LF ? end + 2 : end + 1;
    visit(start, end, next);
    start = next;
  }
}
