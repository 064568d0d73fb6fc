// Sentences in other languages than English, found by the English one. A key may have {names} in it: they stand for anything, and what
// they stood for is put into the translation.
export type Sentences = Readonly<Record<string, string>>;

const NAME = /\{(\w+)\}/;
const patterns = new WeakMap<Sentences, [RegExp, string[], string][]>();

/** undefined = there is none. */
export function findSentence(sentences: Sentences, text: string): string | undefined {
  if (Object.hasOwn(sentences, text)) return sentences[text];
  for (const [pattern, names, translation] of patternsOf(sentences)) {
    const found = pattern.exec(text);
    if (found !== null)
      return translation
        .split(NAME)
        .map((piece, index) => (index % 2 === 0 ? piece : (found[names.indexOf(piece) + 1] ?? '')))
        .join('');
  }
  return undefined;
}

function patternsOf(sentences: Sentences): [RegExp, string[], string][] {
  const made =
    patterns.get(sentences) ??
    Object.entries(sentences)
      .filter(([key]) => NAME.test(key))
      .map(([key, translation]): [RegExp, string[], string] => {
        const pieces = key.split(NAME);
        const source = pieces.map((piece, index) => (index % 2 === 0 ? RegExp.escape(piece) : '([^]*?)')).join('');
        return [new RegExp(`^${source}$`), pieces.filter((_, index) => index % 2 === 1), translation];
      });
  patterns.set(sentences, made);
  return made;
}
