// Walks RFC 8259 JSON in a buffer without building values: every method takes the position where its part begins and
// returns the position behind it, or throws. Here because relayed bodies of many megabytes are checked on the hot path.

export class JsonSyntaxError extends Error {
  /** Byte offset of what is wrong. */
  readonly position: number;

  constructor(message: string, position: number) {
    super(message);
    this.name = 'JsonSyntaxError';
    this.position = position;
  }
}

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const SLASH = 0x2f;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
/** In ASCII each closing bracket stands two behind its opening one. */
const TO_CLOSER = 2;
const DELETE = 0x7f;

const LITERALS: readonly Buffer[] = ['true', 'false', 'null'].map((text) => Buffer.from(text));
/** Length of an escape by the byte behind its backslash: 0 for none. */
const ESCAPE_LENGTHS = new Uint8Array(256);
for (const byte of Buffer.from('"\\/bfnrt')) ESCAPE_LENGTHS[byte] = 2;
ESCAPE_LENGTHS[0x75] = 6;
const DATA_SCHEME = Buffer.from('data:');
const OPAQUE_SAMPLE = 1024;
/** How the texts begin that are noted in passing (neutral/signature.ts), plain and in base64, as the scanner reads words. */
const NOTED = Buffer.from('tg1\0').readInt32LE();
const NOTED_LENGTH = 0xffffff;
const NOTED_IN_BASE64 = Buffer.from('dGcx').readInt32LE();

export class JsonScanner {
  readonly bytes: Buffer;
  /** Strings that look like embedded media, and the bytes inside them. */
  readonly opaque = { count: 0, bytes: 0 };
  /** A text begins like a signature: to look for one afterwards would cost as much as the whole scan. */
  noted = false;
  readonly #maxDepth: number;
  readonly #words: DataView;
  readonly #end: number;
  /** Closing brackets still due while a value is skipped. */
  readonly #closers: number[] = [];

  constructor(bytes: Buffer, maxDepth: number) {
    this.bytes = bytes;
    this.#maxDepth = maxDepth;
    this.#words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#end = bytes.length;
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
      position++;
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

  /** Containers are followed with a list of their closing brackets, not by recursion, so no depth can end the stack. */
  skipValue(start: number, depth: number): number {
    const closers = this.#closers;
    let level = 0;
    let position = start;
    for (;;) {
      const byte = this.at(position);
      if (byte === QUOTE) {
        position = this.#skipText(position);
      } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        this.enter(position, depth + level + 1);
        closers[level++] = byte + TO_CLOSER;
        position = this.skipSpace(position + 1);
        if (this.at(position) !== byte + TO_CLOSER) {
          if (byte === OPEN_OBJECT) position = this.skipColon(this.skipString(position));
          continue;
        }
        level--;
        position++;
      } else {
        position = this.#skipScalar(position, byte);
      }
      for (;;) {
        if (level === 0) return position;
        const closer = closers[level - 1] as number;
        position = this.skipSeparator(position, closer);
        if (position >= 0) {
          if (closer === CLOSE_OBJECT) position = this.skipColon(this.skipString(position));
          break;
        }
        position = -1 - position;
        level--;
      }
    }
  }

  skipString(start: number): number {
    const { bytes } = this;
    const end = this.#end;
    if (this.at(start) !== QUOTE) this.fail(start);
    let position = start + 1;
    for (;;) {
      position = this.#skipPlainWords(position);
      let byte = -1;
      while (position < end) {
        byte = bytes[position] as number;
        if (byte === QUOTE) return position + 1;
        if (byte === BACKSLASH || byte < SPACE) break;
        position++;
      }
      if (position === end) this.fail(end);
      if (byte !== BACKSLASH) {
        throw new JsonSyntaxError(`control character in a string at byte ${position}`, position);
      }
      position = this.#skipEscape(position);
    }
  }

  fail(position: number): never {
    const byte = this.at(position);
    if (byte === -1) throw new JsonSyntaxError(`unexpected end at byte ${position}`, position);
    const shown =
      byte > SPACE && byte < DELETE
        ? `character '${String.fromCharCode(byte)}'`
        : `byte 0x${byte.toString(16).padStart(2, '0')}`;
    throw new JsonSyntaxError(`unexpected ${shown} at byte ${position}`, position);
  }

  /** Throws when a container that opens here would lie too deep. */
  enter(position: number, depth: number): void {
    if (depth <= this.#maxDepth) return;
    throw new JsonSyntaxError(`nested deeper than ${this.#maxDepth} levels`, position);
  }

  #skipText(start: number): number {
    const end = this.skipString(start);
    if (end - start > 5) {
      const word = this.#words.getInt32(start + 1, true);
      if ((word & NOTED_LENGTH) === NOTED || word === NOTED_IN_BASE64) this.noted = true;
    }
    if (end - start - 2 > OPAQUE_SAMPLE) this.#countOpaque(start + 1, end - 1);
    return end;
  }

  #skipScalar(start: number, byte: number): number {
    return byte === MINUS || (byte >= ZERO && byte <= NINE) ? this.#skipNumber(start) : this.#skipLiteral(start);
  }

  /**
   * The next quote, backslash or control character, looked for in eight bytes at a time; or one of the last seven bytes.
   * Flipping bit 1 puts the quote right behind the control characters, so one comparison finds both; subtracting borrows
   * into the top bit of the first byte that is below, and `~word` leaves bytes above 0x7f out.
   */
  #skipPlainWords(start: number): number {
    const words = this.#words;
    const last = this.#end - 8;
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

  #skipEscape(start: number): number {
    const length = start + 1 < this.#end ? ESCAPE_LENGTHS[this.bytes[start + 1] as number] : 0;
    if (length === 2) return start + 2;
    if (length !== 6) this.fail(start + 1);
    for (let position = start + 2; position < start + 6; position++) {
      const digit = this.at(position);
      const letter = digit | 0x20;
      if (!(digit >= ZERO && digit <= NINE) && !(letter >= 0x61 && letter <= 0x66)) this.fail(position);
    }
    return start + 6;
  }

  #skipNumber(start: number): number {
    let position = this.at(start) === MINUS ? start + 1 : start;
    position = this.at(position) === ZERO ? position + 1 : this.#skipDigits(position);
    let byte = this.at(position);
    if (byte === POINT) {
      position = this.#skipDigits(position + 1);
      byte = this.at(position);
    }
    if ((byte | 0x20) !== 0x65) return position;
    const sign = this.at(position + 1);
    return this.#skipDigits(sign === PLUS || sign === MINUS ? position + 2 : position + 1);
  }

  #skipDigits(start: number): number {
    const { bytes } = this;
    const end = this.#end;
    let position = start;
    while (position < end && ((bytes[position] as number) ^ ZERO) < 10) position++;
    if (position === start) this.fail(position);
    return position;
  }

  #skipLiteral(start: number): number {
    const first = this.at(start);
    for (const literal of LITERALS) {
      if (literal[0] !== first) continue;
      for (let index = 1; index < literal.length; index++) {
        if (this.at(start + index) !== literal[index]) this.fail(start + index);
      }
      return start + literal.length;
    }
    return this.fail(start);
  }

  #countOpaque(start: number, end: number): void {
    if (!this.#looksEmbedded(start)) return;
    this.opaque.count++;
    this.opaque.bytes += end - start;
  }

  /** A data URL, or base64: plain ASCII without space or escape, save the `\/` of writers that escape every slash. */
  #looksEmbedded(start: number): boolean {
    if (this.at(start) === DATA_SCHEME[0] && DATA_SCHEME.equals(this.bytes.subarray(start, start + DATA_SCHEME.length)))
      return true;
    for (let position = start; position < start + OPAQUE_SAMPLE; position++) {
      const byte = this.at(position);
      if (byte <= SPACE || byte >= DELETE) return false;
      if (byte === BACKSLASH && this.at(++position) !== SLASH) return false;
    }
    return true;
  }
}
