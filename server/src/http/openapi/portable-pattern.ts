// Patterns that other languages can read: JSON Schema speaks of ECMAScript, but generated clients hand them to the regular
// expressions of Go, Python, Java and C#, which share less. What they refuse, the reader refuses too; the reader may refuse
// more.
/** Classes of letters by properties of Unicode, which Python has not, as everything that is not other ASCII. */
const LETTERS: readonly (readonly [string, string])[] = [
  ['[\\p{L}\\p{N} ._:-]', '[^\\x00-\\x1f!-,/;-@\\[-^`{-\\x7f]'],
  ['[\\p{L}\\p{N}]', '[^\\x00-/:-@\\[-`{-\\x7f]'],
];
/** Single surrogates cannot be in UTF-8 at all. */
const WITHIN_CLASSES: readonly (readonly [string, string])[] = [
  ['\\p{Cc}', '\\x00-\\x1f\\x7f-\\x9f'],
  ['\\p{Cs}', ''],
];
/** Properties, looks around, references back, named groups and code points by number. */
const OF_ONE_LANGUAGE = /\\[pPukcBGAzZ1-9]|\(\?(?!:)/;

export function portablePattern(pattern: string): string {
  const written = [...LETTERS, ...WITHIN_CLASSES].reduce((text, [from, to]) => text.replaceAll(from, to), pattern);
  if (OF_ONE_LANGUAGE.test(written)) throw new Error(`other languages cannot read the pattern ${pattern}`);
  return written;
}

/** The same document with such patterns alone. */
export function withPortablePatterns<T>(part: T): T {
  if (typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map(withPortablePatterns) as T;
  const entries = Object.entries(part).map(([key, value]) => [
    key,
    key === 'pattern' && typeof value === 'string' ? portablePattern(value) : withPortablePatterns(value),
  ]);
  return Object.fromEntries(entries) as T;
}
