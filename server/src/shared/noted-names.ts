// Names of nested fields that may stand before the id of something an upstream keeps. Noted while a body is scanned,
// because to look for them afterwards would cost as much as the scan: almost no body has one.

/** A field named `id`; a field with another such name. */
export const NAMES_ID = 1;
export const NAMES_OBJECT = 2;
/** Of a name that is spelled with escapes. */
export const NAMES_ANY = NAMES_ID | NAMES_OBJECT;

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
const allLengths = lengths.reduce((sum, bits) => sum | bits, 0);

/** Of the name between two quotes. One too many makes no more than a closer look. */
export function noteName(bytes: Buffer, start: number, end: number): number {
  const length = end - start - 2;
  if (length > LONGEST || ((allLengths >>> length) & 1) === 0) return 0;
  const first = (bytes[start + 1] as number) | LOWER_CASE;
  if ((((lengths[first] as number) >>> length) & 1) === 0) return 0;
  if (seconds[first * 256 + ((bytes[start + 2] as number) | LOWER_CASE)] === 0) return 0;
  return length === 2 ? NAMES_ID : NAMES_OBJECT;
}
