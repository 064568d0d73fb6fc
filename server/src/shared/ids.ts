// Identifiers and secrets: random letters and digits, with a leading time where lists are ordered by id.
import { randomFillSync } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** What eight letters can say: the year 8888. */
const LAST_TIME = 62 ** 8 - 1;
const POOL_SIZE = 8192;
const pool = Buffer.allocUnsafe(POOL_SIZE);
let used = POOL_SIZE;

/** Uniformly random letters and digits. */
export function randomLetters(length: number): string {
  let text = '';
  while (text.length < length) {
    if (used === POOL_SIZE) {
      randomFillSync(pool);
      used = 0;
    }
    const byte = pool[used++] ?? 0;
    if (byte < 248) text += ALPHABET[byte % 62]; // 248 = 4 * 62: the rest would favour the first letters
  }
  return text;
}

/** `prefix_` + random part, for things that are found by id. */
export function makeId(prefix: string): string {
  return `${prefix}_${randomLetters(20)}`;
}

/** `prefix_` + milliseconds in a sortable form + random part: ids made later sort later. */
export function makeOrderedId(prefix: string, milliseconds: number): string {
  return `${firstIdAt(prefix, milliseconds)}${randomLetters(16)}`;
}

/** Sorts before every ordered id of that moment and later, and behind all earlier ones. */
export function firstIdAt(prefix: string, milliseconds: number): string {
  let time = '';
  for (let rest = Math.min(milliseconds, LAST_TIME), i = 0; i < 8; i++) {
    time = (ALPHABET[rest % 62] ?? '0') + time;
    rest = Math.floor(rest / 62);
  }
  return `${prefix}_${time}`;
}
