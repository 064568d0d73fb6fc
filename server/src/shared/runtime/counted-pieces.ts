// Gain: see counted-bytes.ts; removable with it alone. A large body on its way into a socket, piece by piece. It releases its
// buffers when the socket needs them no more.
import { COUNTED_FROM, retain } from './counted-bytes.ts';

/**
 * The client library asks for the next piece when the socket can take it, which after a large one is when its last byte is
 * with the system, or the socket closed. Small pieces are copied, so after the last large one no buffer is in use.
 */
export class CountedPieces implements Iterable<Buffer> {
  readonly #pieces: readonly Buffer[];
  readonly #lastLarge: number;
  readonly #release: () => void;
  #walks = 0;

  constructor(pieces: readonly Buffer[]) {
    this.#pieces = joinSmall(pieces);
    this.#lastLarge = this.#pieces.findLastIndex(isLarge);
    this.#release = retain(this.#pieces);
  }

  *[Symbol.iterator](): Generator<Buffer> {
    this.#walks++;
    for (const [index, piece] of this.#pieces.entries()) {
      yield piece;
      if (index === this.#lastLarge && this.#walks === 1) this.#release();
    }
  }
}

function isLarge(piece: Buffer): boolean {
  return piece.length >= COUNTED_FROM;
}

/** Each run of small pieces as one copy, which also is one write. */
function joinSmall(pieces: readonly Buffer[]): Buffer[] {
  const joined: Buffer[] = [];
  let run: Buffer[] = [];
  for (const piece of pieces) {
    if (!isLarge(piece)) {
      run.push(piece);
      continue;
    }
    if (run.length > 0) joined.push(Buffer.concat(run));
    run = [];
    joined.push(piece);
  }
  if (run.length > 0) joined.push(Buffer.concat(run));
  return joined;
}
