// Texts that a process remembers for an hour, so many at most. The cache behind it takes its whole room at once, 0.4 MB, so it
// is made with the first text: most processes never see a wrong key.
import { LRUCache } from 'lru-cache';

const MOST_REMEMBERED = 10_000;
const REMEMBERED_MS = 3_600_000;

export class TextCache {
  #texts: LRUCache<string, true> | undefined;

  has(text: string): boolean {
    return this.#texts?.has(text) === true;
  }

  add(text: string): void {
    this.#texts ??= new LRUCache({ max: MOST_REMEMBERED, ttl: REMEMBERED_MS });
    this.#texts.set(text, true);
  }
}
