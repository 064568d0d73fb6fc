// Shortens the long texts of a large JSON body, such as images in base64, so that records stay small.
import { createHash } from 'node:crypto';

const textLimit = 64 * 1024;
const keptLength = 1000;
const depthLimit = 32;

/** Also tells how many characters the shortening saved. */
export function shortenForRecord(body: unknown): { summary: unknown; saved: number } {
  let saved = 0;

  function walk(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return value.length > textLimit ? shorten(value) : value;
    if (typeof value !== 'object' || value === null || depth > depthLimit) return value;
    if (Array.isArray(value)) return value.map((one: unknown) => walk(one, depth + 1));
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, walk(one, depth + 1)]));
  }

  function shorten(text: string): string {
    saved += text.length - keptLength;
    const sha256 = createHash('sha256').update(text).digest('hex');
    // Through bytes: a slice would keep the whole text alive.
    const start = Buffer.from(text.slice(0, keptLength)).toString('utf8');
    return `${start}… (${text.length} characters, sha256 ${sha256})`;
  }

  return { summary: walk(body, 0), saved };
}
