// Scores documents against a query by the words they share: rare words weigh more, near misses count for a part.

export type Ranked = { index: number; score: number };

const partWeight = 0.3;
const wordPattern = /[\p{L}\p{N}]+/gu;

/** Best first; equal ones in the order they came. */
export function rankDocuments(query: string, documents: readonly string[]): Ranked[] {
  const wanted = [...new Set(readWords(query))];
  const pages = documents.map((document) => readPage(document));
  const weights = wanted.map((word) => {
    const found = pages.filter(({ words }) => words.has(word)).length;
    return Math.log(1 + (pages.length + 1) / (found + 0.5));
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const scored = pages.map((page, index) => {
    const hits = wanted.reduce((sum, word, at) => sum + (weights[at] ?? 0) * match(word, page), 0);
    // Of two that share as much, the shorter says less besides; and never quite 0 or 1, as with real scores.
    const brevity = 1 / (1 + Math.log1p(page.words.size) / 20);
    const score = total === 0 ? 0 : (hits / total) * brevity;
    return { index, score: Math.round((0.001 + 0.998 * score) * 1e8) / 1e8 };
  });
  return scored.sort((one, other) => other.score - one.score || one.index - other.index);
}

type Page = { words: Set<string>; stems: Set<string> };

function readPage(document: string): Page {
  const words = new Set(readWords(document));
  return { words, stems: new Set([...words].map(stem)) };
}

function match(word: string, { words, stems }: Page): number {
  if (words.has(word)) return 1;
  return stems.has(stem(word)) ? partWeight : 0;
}

function stem(word: string): string {
  return word.slice(0, 4);
}

function readWords(text: string): string[] {
  return text.toLowerCase().match(wordPattern) ?? [];
}
