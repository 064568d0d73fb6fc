// Counts the output of a stream for when nobody tells its usage (docs/money.md, "Who counted"): its pieces, and the bytes
// that they hold.
import { TextCounter } from './count-text.ts';
import { countEvents } from './sse.ts';

/** Bytes of text in an event that holds a token or two; larger ones are counted by their bytes, four to a token. */
const USUAL_TEXT = 32;

export function countTextTokens(pieces: number, bytes: number): number {
  return bytes > USUAL_TEXT * pieces ? Math.ceil(bytes / 4) : pieces;
}

export class PieceCounter {
  #events = 0;
  readonly #text: TextCounter | undefined;

  /** Without a field all events are pieces. */
  constructor(field: string | undefined) {
    if (field !== undefined) this.#text = new TextCounter({ each: { [field]: 'text', logprobs: 'skip' } });
  }

  get pieces(): number {
    return this.#text?.pieces ?? this.#events;
  }

  /** What the pieces hold in their field. */
  get bytes(): number {
    return this.#text?.bytes ?? 0;
  }

  add(block: Buffer): void {
    if (this.#text === undefined) this.#events += countEvents(block);
    else this.#text.add(block);
  }
}
