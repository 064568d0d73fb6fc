// Names of nested fields that may stand before the id of something an upstream keeps, or of a tool call. Noted while a body
// is scanned, because to look for them afterwards would cost as much as the scan: almost no body has one of the first.

/** A field named `id`; a field with another such name. */
export const NAMES_ID = 1;
export const NAMES_OBJECT = 2;
/** One with the id of a tool call that is longer than upstreams take; one of other characters than letters, digits, `_` and `-`. */
export const NAMES_CALL_LONG = 4;
export const NAMES_CALL_STRAY = 8;
/** Of a name that is spelled with escapes. */
export const NAMES_ANY = NAMES_ID | NAMES_OBJECT | NAMES_CALL_LONG | NAMES_CALL_STRAY;

const NAMES = [
  'id',
  'file_id',
  'file_ids',
  'fileUri',
  'file_uri',
  'container',
  'container_id',
  'vector_store_id',
  'vector_store_ids',
  'skill_id',
  'cachedContent',
  'cached_content',
  'fileSearchStoreNames',
  'file_search_store_names',
  'ragCorpus',
  'rag_corpus',
  'datastore',
  'audio',
  'voice',
];

/** Every call that is answered has such a field, in its result. Spelled as vendors do. */
const CALL_NAMES: ReadonlyMap<number, Buffer> = new Map(
  ['call_id', 'tool_call_id', 'tool_use_id'].map((name) => [name.length, Buffer.from(name)]),
);
const CALL_LENGTHS = [...CALL_NAMES.keys()].reduce((bits, length) => bits | (1 << length), 0);
const LONGEST_CALL_ID = 64;

const LOWER_CASE = 0x20;
/** Letters that readers without regard to case take for another; each has more bytes than that one. */
const SAME_LETTERS = new Map([
  ['s', '\u017f'],
  ['k', '\u212a'],
]);

/** Every way to write a name for such a reader. */
function spellings(name: string): string[] {
  const [first, ...rest] = name;
  if (first === undefined) return [''];
  const same = SAME_LETTERS.get(first);
  return spellings(rest.join('')).flatMap((end) => (same === undefined ? [first + end] : [first + end, same + end]));
}

/** By the first letter: a bit for each length that a name with it has. And the second letters, of which one must follow. */
const lengths = new Uint32Array(256);
const seconds = new Uint8Array(256 * 256);
let longest = 0;
for (const name of NAMES.flatMap((one) => [one, one.replaceAll('_', '')]).flatMap((one) =>
  spellings(one.toLowerCase()),
)) {
  const bytes = Buffer.from(name);
  const [first = 0, second = 0] = bytes.map((byte) => byte | LOWER_CASE);
  lengths[first] = (lengths[first] as number) | (1 << bytes.length);
  seconds[first * 256 + second] = 1;
  longest = Math.max(longest, bytes.length);
}
const LONGEST = longest;

/** Lengths that none of the names has are most of those that occur: role, type, text, name, url. */
const allLengths = lengths.reduce((sum, bits) => sum | bits, CALL_LENGTHS);

/** Of the name between two quotes. One too many makes no more than a closer look. */
export function noteName(bytes: Buffer, start: number, end: number): number {
  const length = end - start - 2;
  if (length > LONGEST || ((allLengths >>> length) & 1) === 0) return 0;
  const first = (bytes[start + 1] as number) | LOWER_CASE;
  if (((CALL_LENGTHS >>> length) & 1) !== 0 && isCallName(bytes, start, end)) return noteCallId(bytes, end);
  if ((((lengths[first] as number) >>> length) & 1) === 0) return 0;
  if (seconds[first * 256 + ((bytes[start + 2] as number) | LOWER_CASE)] === 0) return 0;
  return length === 2 ? NAMES_ID : NAMES_OBJECT;
}

const [SPACE, QUOTE, HYPHEN, COLON] = [0x20, 0x22, 0x2d, 0x3a];
const [BACKSLASH, UNDERSCORE, LETTER_D] = [0x5c, 0x5f, 0x64];

function isCallName(bytes: Buffer, start: number, end: number): boolean {
  if (bytes[end - 2] !== LETTER_D || bytes[end - 4] !== UNDERSCORE) return false;
  const name = CALL_NAMES.get(end - start - 2) as Buffer;
  for (let index = 0; index < name.length; index++) if (bytes[start + 1 + index] !== name[index]) return false;
  return true;
}

/** What upstreams may refuse of the id behind the name that ends at `nameEnd`. What is no text is no id. */
function noteCallId(bytes: Buffer, nameEnd: number): number {
  let position = nameEnd;
  while ((bytes[position] as number) <= SPACE || bytes[position] === COLON) position++;
  if (bytes[position] !== QUOTE) return 0;
  const last = ++position + LONGEST_CALL_ID;
  let stray = 0;
  for (; position <= last; position++) {
    const byte = bytes[position] as number;
    if (byte === QUOTE) return stray;
    if (byte === BACKSLASH) return NAMES_CALL_LONG | NAMES_CALL_STRAY;
    if (!isWord(byte)) stray = NAMES_CALL_STRAY;
  }
  return NAMES_CALL_LONG | stray;
}

function isWord(byte: number): boolean {
  const lower = byte | LOWER_CASE;
  return (lower >= 0x61 && lower <= 0x7a) || (byte >= 0x30 && byte <= 0x39) || byte === UNDERSCORE || byte === HYPHEN;
}
