// Counts the output of a stream for when nobody tells its usage (docs/money.md, "Who counted"): its pieces, and the bytes
// that they hold.
import { measureEvents } from './sse.ts';

/** Bytes of text in an event that holds a token or two; larger ones are counted by their bytes, four to a token. */
const USUAL_TEXT = 32;
const SPACE = 32;
const QUOTE = 34;
const COLON = 58;
const BACKSLASH = 92;

export function countTextTokens(pieces: number, bytes: number): number {
  return bytes > USUAL_TEXT * pieces ? Math.ceil(bytes / 4) : pieces;
}

export class PieceCounter {
  pieces = 0;
  /** What the pieces hold in their field. */
  bytes = 0;
  readonly #key: Buffer | undefined;
  /** What stands around the text of a piece. */
  #frame = 0;

  /** Without a field only the pieces are counted. */
  constructor(field: string | undefined) {
    if (field !== undefined) this.#key = Buffer.from(`"${field}"`);
  }

  /** Pieces of the usual size are only measured; one of another size is searched, since its frame may be what differs. */
  add(block: Buffer): void {
    const { count, bytes } = measureEvents(block);
    this.pieces += count;
    if (this.#key === undefined) return;
    let text = bytes - count * this.#frame;
    if (text < 0 || text > USUAL_TEXT * count) {
      text = textBytes(block, this.#key);
      // Of several events some may be no pieces.
      if (count === 1) this.#frame = bytes - text;
    }
    this.bytes += text;
  }
}

/** Bytes of the texts under this key, quotes and all. A key inside a JSON string has its quotes escaped, so these are keys. */
export function textBytes(block: Buffer, key: Buffer): number {
  let bytes = 0;
  for (let found = block.indexOf(key); found !== -1; found = block.indexOf(key, found)) {
    found += key.length;
    while (block[found] === COLON || block[found] === SPACE) found++;
    if (block[found] !== QUOTE) continue;
    const start = found + 1;
    found = endOfString(block, start);
    bytes += found - start;
  }
  return bytes;
}

function endOfString(block: Buffer, start: number): number {
  for (let quote = block.indexOf(QUOTE, start); quote !== -1; quote = block.indexOf(QUOTE, quote + 1)) {
    let escapes = 0;
    while (block[quote - 1 - escapes] === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return quote;
  }
  return block.length;
}
