// A large body on its way into a socket, piece by piece, which tells when the socket is through with what was lent to it.
import { lend, LENT_FROM } from '../shared/lent-bytes.ts';

/**
 * The client library asks for the next piece when the socket can take it, which after a large one is when its last byte is
 * with the system, or the socket closed. Small pieces are copied, so beyond the last large one nothing lent is in use.
 */
export class LentPieces implements Iterable<Buffer> {
  readonly #pieces: readonly Buffer[];
  readonly #lastLarge: number;
  readonly #giveBack: () => void;
  #walks = 0;

  constructor(pieces: readonly Buffer[]) {
    this.#pieces = joinSmall(pieces);
    this.#lastLarge = this.#pieces.findLastIndex(isLarge);
    this.#giveBack = lend(this.#pieces);
  }

  *[Symbol.iterator](): Generator<Buffer> {
    this.#walks++;
    for (const [index, piece] of this.#pieces.entries()) {
      yield piece;
      if (index === this.#lastLarge && this.#walks === 1) this.#giveBack();
    }
  }
}

function isLarge(piece: Buffer): boolean {
  return piece.length >= LENT_FROM;
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
