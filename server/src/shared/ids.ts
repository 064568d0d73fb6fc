// Identifiers and secrets: random letters and digits, with a leading time where lists are ordered by id.
import { randomFillSync } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** What eight letters can say: the year 8888. */
const LAST_TIME = 62 ** 8 - 1;
/** What three can. */
const LAST_NUMBER = 62 ** 3 - 1;
const POOL_SIZE = 8192;
const pool = Buffer.allocUnsafe(POOL_SIZE);
let used = POOL_SIZE;
let timeOfLast = -1;
let numberOfTime = 0;

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

/** `prefix_` + milliseconds + number within them, both in a sortable form, + random part: ids made later sort later. */
export function makeOrderedId(prefix: string, milliseconds: number): string {
  numberOfTime = milliseconds === timeOfLast ? Math.min(numberOfTime + 1, LAST_NUMBER) : 0;
  timeOfLast = milliseconds;
  return `${firstIdAt(prefix, milliseconds)}${inLetters(numberOfTime, 3)}${randomLetters(13)}`;
}

/** Of a thing whose time is kept in whole seconds: things of one second are in the order in which they were made. */
export function makeIdOfSecond(prefix: string, seconds: number): string {
  const now = Date.now();
  return makeOrderedId(prefix, Math.floor(now / 1000) === seconds ? now : seconds * 1000 + 999);
}

/** Sorts before every ordered id of that moment and later, and behind all earlier ones. */
export function firstIdAt(prefix: string, milliseconds: number): string {
  return `${prefix}_${inLetters(Math.min(milliseconds, LAST_TIME), 8)}`;
}

function inLetters(number: number, length: number): string {
  let text = '';
  for (let rest = number; text.length < length; rest = Math.floor(rest / 62))
    text = (ALPHABET[rest % 62] ?? '0') + text;
  return text;
}
