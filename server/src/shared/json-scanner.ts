// Walks RFC 8259 JSON in a buffer without building values: every method takes the position where its part begins and
// returns the position behind it, or throws. Here because relayed bodies of many megabytes are checked on the hot path.
import { BIT_OF_BYTE } from './json-kinds.ts';
import { looksEmbedded, OPAQUE_SAMPLE } from './embedded-media.ts';
import { skipEscape, skipScalar } from './json-scalars.ts';
import { failAt, JsonSyntaxError, MOST_RUN, tooLong } from './json-syntax-error.ts';
import type { LongTexts } from './json-walk.ts';
import { NAMES_ANY, noteName } from './noted-names.ts';

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
/** In ASCII each closing bracket stands two behind its opening one. */
const TO_CLOSER = 2;

/** How the texts begin that are noted in passing (neutral/signature.ts), plain and in base64, as the scanner reads words. */
const NOTED = Buffer.from('tg1\0').readInt32LE();
const NOTED_LENGTH = 0xffffff;
const NOTED_IN_BASE64 = Buffer.from('dGcx').readInt32LE();

/** A string is a whole value; ten numbers, or true, false and null, cost about as much as one. */
const [VALUE_WEIGHT, SCALAR_WEIGHT] = [10, 1];
/** Texts from this length on are remembered, so that nobody walks over them twice; in a large body shorter ones too. */
const [LONG_TEXT, LARGE_BODY, LONG_IN_LARGE] = [16 * 1024, 1024 * 1024, 1024];

/** What `skipValue` and `goOn` return where they stopped on the way. */
export const PAUSED = -1;

export interface ScannerOptions {
  /** Strings, objects and arrays, at any depth; numbers and literals count a tenth. */
  maxValues?: number | undefined;
  /** Where long texts end, as an earlier walk found them. */
  texts?: LongTexts | undefined;
}

export class JsonScanner {
  readonly bytes: Buffer;
  /** Strings that look like embedded media, and the bytes inside them. */
  readonly opaque = { count: 0, bytes: 0 };
  /** A text begins like a signature: to look for one afterwards would cost as much as the whole scan. */
  noted = false;
  /** Fields with names that matter (noted-names.ts). */
  names = 0;
  /** Directly in the value that was skipped last; numbers and literals are none. */
  entries = 0;
  /** Their kinds, these too, as bits (KIND_BITS). */
  inner = 0;
  /** Where it was paused. */
  position = 0;
  /** Long texts met so far. */
  longTexts: Map<number, number> | undefined;
  readonly #maxDepth: number;
  /** Where a string was escaped last. */
  #lastEscape = -1;
  readonly #words: DataView;
  readonly #end: number;
  readonly #maxWeight: number;
  readonly #known: LongTexts | undefined;
  #weight = 0;
  /** Closing brackets still due while a value is skipped. */
  readonly #closers: number[] = [];
  /** Where it is to stop, and where it has: how deep, and in which text. */
  #pauseAt = Infinity;
  #textStop: number;
  #depth = 0;
  #level = 0;
  #openText = -1;

  constructor(bytes: Buffer, maxDepth: number, { maxValues = Infinity, texts }: ScannerOptions = {}) {
    this.bytes = bytes;
    this.#maxDepth = maxDepth;
    this.#words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#end = bytes.length;
    this.#textStop = bytes.length;
    this.#maxWeight = maxValues * VALUE_WEIGHT;
    this.#known = texts;
  }

  /** The byte at a position, -1 behind the end. */
  at(position: number): number {
    return position < this.#end ? (this.bytes[position] as number) : -1;
  }

  skipSpace(start: number): number {
    const { bytes } = this;
    const end = this.#end;
    let position = start;
    while (position < end) {
      const byte = bytes[position] as number;
      if (byte > SPACE) break;
      if (byte !== SPACE && byte !== LINE_FEED && byte !== CARRIAGE_RETURN && byte !== TAB) break;
      if (++position - start > MOST_RUN) throw tooLong('blanks', start);
    }
    return position;
  }

  /** Where the value begins whose key ends at `start`. */
  skipColon(start: number): number {
    const position = this.skipSpace(start);
    if (this.at(position) !== COLON) this.fail(position);
    return this.skipSpace(position + 1);
  }

  /** Behind the comma, at the next entry; or -1 - position behind the closing bracket. */
  skipSeparator(start: number, close: number): number {
    const position = this.skipSpace(start);
    const byte = this.at(position);
    if (byte === COMMA) return this.skipSpace(position + 1);
    if (byte !== close) this.fail(position);
    return -2 - position;
  }

  /** From here on, walks stop at the first value at or behind this position, or inside a text that reaches it. */
  pauseAt(position: number): void {
    this.#pauseAt = position;
    this.#textStop = Math.min(this.#end, position);
  }

  /** Behind the value; PAUSED where it was to stop before. */
  skipValue(start: number, depth: number): number {
    this.#depth = depth;
    this.#level = 0;
    this.entries = 0;
    this.inner = 0;
    return this.#walk(start, false);
  }

  /** Goes on with the value that was paused. */
  goOn(): number {
    const text = this.#openText;
    if (text === -1) return this.#walk(this.position, false);
    this.#openText = -1;
    const end = this.#skipText(text, this.position);
    return end === PAUSED ? PAUSED : this.#walk(end, true);
  }

  /** Containers are followed with a list of their closing brackets, not by recursion, so no depth can end the stack. */
  #walk(start: number, isBehindValue: boolean): number {
    const closers = this.#closers;
    const pauseAt = this.#pauseAt;
    const depth = this.#depth;
    let level = this.#level;
    let position = start;
    let isBehind = isBehindValue;
    for (;;) {
      if (!isBehind) {
        if (position >= pauseAt) {
          this.#level = level;
          this.position = position;
          return PAUSED;
        }
        const byte = this.at(position);
        if (level === 1) this.inner |= BIT_OF_BYTE[byte] as number;
        if (byte === QUOTE) {
          this.#count(level, position);
          position = this.#skipText(position, position + 1);
          if (position === PAUSED) {
            this.#level = level;
            return PAUSED;
          }
        } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
          this.enter(position, depth + level + 1);
          this.#count(level, position);
          closers[level++] = byte + TO_CLOSER;
          position = this.skipSpace(position + 1);
          if (this.at(position) !== byte + TO_CLOSER) {
            if (byte === OPEN_OBJECT) position = this.skipColon(this.skipName(position));
            continue;
          }
          level--;
          position++;
        } else {
          if ((this.#weight += SCALAR_WEIGHT) > this.#maxWeight) this.#tooMany(position);
          position = skipScalar(this.bytes, position, byte);
        }
      }
      isBehind = false;
      for (;;) {
        if (level === 0) return position;
        const closer = closers[level - 1] as number;
        position = this.skipSeparator(position, closer);
        if (position >= 0) {
          if (closer === CLOSE_OBJECT) position = this.skipColon(this.skipName(position));
          break;
        }
        position = -1 - position;
        level--;
      }
    }
  }

  /** The name of a field, with its quotes. */
  skipName(start: number): number {
    if (this.at(start) !== QUOTE) this.fail(start);
    const end = this.#finishString(start + 1, Math.min(this.#end, start + MOST_RUN));
    if (end < 0) throw tooLong('a name', start);
    this.names |= this.#lastEscape > start ? NAMES_ANY : noteName(this.bytes, start, end);
    return end;
  }

  fail(position: number): never {
    return failAt(this.bytes, position);
  }

  /** Throws when a container that opens here would lie too deep. */
  enter(position: number, depth: number): void {
    if (depth <= this.#maxDepth) return;
    throw new JsonSyntaxError(`nested deeper than ${this.#maxDepth} levels`, position);
  }

  /** A value that is no number and no literal. */
  #count(level: number, position: number): void {
    if (level === 1) this.entries++;
    if ((this.#weight += VALUE_WEIGHT) > this.#maxWeight) this.#tooMany(position);
  }

  #tooMany(at: number): never {
    throw new JsonSyntaxError(`more than ${this.#maxWeight / VALUE_WEIGHT} values`, at);
  }

  /** `from` is where the walk over the text that begins at `start` goes on. */
  #skipText(start: number, from: number): number {
    const end = this.#knownEnd(start) ?? this.#finishString(from, this.#textStop);
    if (end < 0) {
      this.#openText = start;
      this.position = -1 - end;
      return PAUSED;
    }
    if (end - start > 5) {
      const word = this.#words.getInt32(start + 1, true);
      if ((word & NOTED_LENGTH) === NOTED || word === NOTED_IN_BASE64) this.noted = true;
    }
    if (end - start - 2 > OPAQUE_SAMPLE) this.#countOpaque(start + 1, end - 1);
    if (end - start > (this.#end > LARGE_BODY ? LONG_IN_LARGE : LONG_TEXT))
      (this.longTexts ??= new Map()).set(start, end);
    return end;
  }

  #knownEnd(start: number): number | undefined {
    const known = this.#known;
    if (known === undefined) return undefined;
    const end = known.ends.get(start + known.offset);
    return end === undefined ? undefined : end - known.offset;
  }

  /** Behind the quote that ends a string; -1 - position where that does not come before `stop`. */
  #finishString(from: number, stop: number): number {
    const { bytes } = this;
    let position = from;
    for (;;) {
      position = this.#skipPlainWords(position, stop);
      let byte = -1;
      while (position < stop) {
        byte = bytes[position] as number;
        if (byte === QUOTE) return position + 1;
        if (byte === BACKSLASH || byte < SPACE) break;
        position++;
      }
      if (position >= stop) {
        if (position >= this.#end) this.fail(this.#end);
        return -1 - position;
      }
      if (byte !== BACKSLASH) {
        throw new JsonSyntaxError(`control character in a string at byte ${position}`, position);
      }
      this.#lastEscape = position;
      position = skipEscape(bytes, position);
    }
  }

  /**
   * The next quote, backslash or control character, looked for in eight bytes at a time; or one of the last seven bytes
   * before `stop`.
   * Flipping bit 1 puts the quote right behind the control characters, so one comparison finds both; subtracting borrows
   * into the top bit of the first byte that is below, and `~word` leaves bytes above 0x7f out.
   */
  #skipPlainWords(start: number, stop: number): number {
    const words = this.#words;
    const last = stop - 8;
    let position = start;
    while (position <= last) {
      const low = words.getInt32(position, true);
      const lowHit = (((low ^ 0x02020202) - 0x21212121) | ((low ^ 0x5c5c5c5c) - 0x01010101)) & ~low & 0x80808080;
      if (lowHit !== 0) return position + ((31 - Math.clz32(lowHit & -lowHit)) >> 3);
      const high = words.getInt32(position + 4, true);
      const highHit = (((high ^ 0x02020202) - 0x21212121) | ((high ^ 0x5c5c5c5c) - 0x01010101)) & ~high & 0x80808080;
      if (highHit !== 0) return position + 4 + ((31 - Math.clz32(highHit & -highHit)) >> 3);
      position += 8;
    }
    return position;
  }

  #countOpaque(start: number, end: number): void {
    if (!looksEmbedded(this.bytes, start)) return;
    this.opaque.count++;
    this.opaque.bytes += end - start;
  }
}
