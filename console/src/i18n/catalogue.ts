// The texts of the language in use. English needs none: its sentences are the keys.
import { findSentence, type Sentences } from '#contract/values/sentences.ts';

export type Catalogue = Sentences;

export interface Catalogues {
  /** By what `t()` is given. */
  texts: Catalogue;
  /** By what the gateway sends; {names} stand for anything. */
  sent: Catalogue;
}

let current: Catalogues = { texts: {}, sent: {} };

export function setCatalogues(catalogues: Catalogues): void {
  current = catalogues;
}

/** Of pages that are loaded later. */
export function addTexts(more: Catalogue): void {
  current = { ...current, texts: { ...current.texts, ...more } };
}

/** undefined = shown in English. */
export function translationOf(key: string): string | undefined {
  return Object.hasOwn(current.texts, key) ? current.texts[key] : undefined;
}

/** Of a text that the gateway sent; undefined = shown as it was sent. */
export function translationOfSent(text: string): string | undefined {
  return translationOf(text) ?? findSentence(current.sent, text) ?? withFullStop(text);
}

/** A reason that the gateway has made a sentence of. */
function withFullStop(text: string): string | undefined {
  if (!text.endsWith('.')) return undefined;
  const found = findSentence(current.sent, text.slice(0, -1));
  return found === undefined ? undefined : `${found}。`;
}
