// A body as it comes, one buffer in the end. The pieces of a large one are copied as they come and freed at once: left to
// the collector, their memory would cost more than everything else that is done for the request.
import { freeUnshared, COUNTED_FROM, allocateCounted } from '../../shared/runtime/counted-bytes.ts';

/** Room is made for the whole of a body once this part of it has come: a length alone is only a promise. */
const PART = 1 / 8;

export class BufferedBody {
  bytes = 0;
  readonly #expected: number;
  #pieces: Buffer[] = [];
  #whole: Buffer | undefined;

  constructor(expected = 0) {
    this.#expected = expected;
  }

  /** The piece belongs to the body from now on: it may be empty when this returns. */
  add(piece: Buffer): void {
    const start = this.bytes;
    this.bytes += piece.length;
    if (this.#whole === undefined) {
      this.#pieces.push(piece);
      const isDue =
        this.#expected >= COUNTED_FROM && this.bytes >= this.#expected * PART && this.bytes < this.#expected;
      if (isDue) this.#whole = join(this.#pieces.splice(0), this.#expected);
    } else if (this.bytes <= this.#expected) {
      piece.copy(this.#whole, start);
      freeUnshared(piece);
    } else {
      this.#pieces = [this.#whole.subarray(0, start), piece]; // more than was promised, which a server lets not through
      this.#whole = undefined;
    }
  }

  /** All that has come; once, at the end. */
  take(): Buffer {
    if (this.#whole !== undefined) return this.#whole.subarray(0, this.bytes);
    const [only] = this.#pieces;
    if (only?.length === this.bytes) return only;
    return this.bytes < COUNTED_FROM ? Buffer.concat(this.#pieces, this.bytes) : join(this.#pieces, this.bytes);
  }
}

/** The pieces at the beginning of a buffer of this length; they are freed. */
function join(pieces: readonly Buffer[], length: number): Buffer {
  const whole = allocateCounted(length);
  let end = 0;
  for (const piece of pieces) {
    piece.copy(whole, end);
    end += piece.length;
    freeUnshared(piece);
  }
  return whole;
}
