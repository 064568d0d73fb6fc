// The beginning of a body that passes by in pieces, and how long it was in all.
import type { KeptBody } from '../../relay/kept-bodies.ts';

export const MOST_KEPT = 64 * 1024;
/** Everything else is bytes to people. */
const TEXT = /^(?:text\/|application\/(?:[^;]*\+)?json|application\/x-ndjson)/i;

export class BodyCopy {
  readonly #pieces: Buffer[] = [];
  #kept = 0;
  #bytes = 0;
  contentType: string | undefined;

  add(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    if (this.#kept >= MOST_KEPT) return;
    const piece = Buffer.from(bytes.subarray(0, MOST_KEPT - this.#kept)); // a copy: the caller may use its memory again
    this.#pieces.push(piece);
    this.#kept += piece.length;
  }

  /** null when nothing passed. */
  read(): KeptBody | null {
    if (this.#bytes === 0) return null;
    const isText = TEXT.test(this.contentType ?? 'application/json');
    return {
      contentType: this.contentType ?? null,
      bytes: this.#bytes,
      text: isText ? new TextDecoder().decode(Buffer.concat(this.#pieces)) : null,
    };
  }
}
