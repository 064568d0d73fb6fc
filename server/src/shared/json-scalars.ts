// Numbers, literals and escapes of JSON in a buffer: each function takes where one begins and returns the position behind it.
import { failAt, MOST_RUN, tooLong } from './json-syntax-error.ts';

const PLUS = 0x2b;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;

const LITERALS: readonly Buffer[] = ['true', 'false', 'null'].map((text) => Buffer.from(text));
/** Length of an escape by the byte behind its backslash: 0 for none. */
const ESCAPE_LENGTHS = new Uint8Array(256);
for (const byte of Buffer.from('"\\/bfnrt')) ESCAPE_LENGTHS[byte] = 2;
ESCAPE_LENGTHS[0x75] = 6;

/** A number, or true, false or null, that begins with this byte. */
export function skipScalar(bytes: Buffer, start: number, byte: number): number {
  return byte === MINUS || (byte >= ZERO && byte <= NINE) ? skipNumber(bytes, start) : skipLiteral(bytes, start);
}

export function skipEscape(bytes: Buffer, start: number): number {
  const { length: end } = bytes;
  const length = start + 1 < end ? ESCAPE_LENGTHS[bytes[start + 1] as number] : 0;
  if (length === 2) return start + 2;
  if (length !== 6) failAt(bytes, start + 1);
  for (let position = start + 2; position < start + 6; position++) {
    const digit = position < end ? (bytes[position] as number) : -1;
    const letter = digit | 0x20;
    if (!(digit >= ZERO && digit <= NINE) && !(letter >= 0x61 && letter <= 0x66)) failAt(bytes, position);
  }
  return start + 6;
}

function skipNumber(bytes: Buffer, start: number): number {
  let position = bytes[start] === MINUS ? start + 1 : start;
  position = byteAt(bytes, position) === ZERO ? position + 1 : skipDigits(bytes, position);
  let byte = byteAt(bytes, position);
  if (byte === POINT) {
    position = skipDigits(bytes, position + 1);
    byte = byteAt(bytes, position);
  }
  if ((byte | 0x20) !== 0x65) return position;
  const sign = byteAt(bytes, position + 1);
  return skipDigits(bytes, sign === PLUS || sign === MINUS ? position + 2 : position + 1);
}

function skipDigits(bytes: Buffer, start: number): number {
  const end = Math.min(bytes.length, start + MOST_RUN);
  let position = start;
  while (position < end && ((bytes[position] as number) ^ ZERO) < 10) position++;
  if (position === start) failAt(bytes, position);
  if (position - start === MOST_RUN) throw tooLong('a number', start);
  return position;
}

function skipLiteral(bytes: Buffer, start: number): number {
  const first = byteAt(bytes, start);
  for (const literal of LITERALS) {
    if (literal[0] !== first) continue;
    for (let index = 1; index < literal.length; index++) {
      if (byteAt(bytes, start + index) !== literal[index]) failAt(bytes, start + index);
    }
    return start + literal.length;
  }
  return failAt(bytes, start);
}

function byteAt(bytes: Buffer, position: number): number {
  return position < bytes.length ? (bytes[position] as number) : -1;
}
