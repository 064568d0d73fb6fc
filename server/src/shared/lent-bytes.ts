// Large buffers whose memory is freed by hand once nobody uses them: left to the collector, a megabyte for each request
// makes it look through all memory many times a second. Here because the door makes them and the outgoing client lends them
// to the system, and neither may know the other.

interface Loans {
  /** The system may still read from it. */
  open: number;
  returned: number;
}

const loans = new WeakMap<ArrayBufferLike, Loans>();

/**
 * Buffers below this size are left to the collector. A piece of a body that is as large is above the mark of every socket:
 * whoever has written it waits until the socket has sent it, and asks for the next piece only then.
 */
export const LENT_FROM = 128 * 1024;

/** A buffer, not yet filled, that may be freed later. */
export function makeLendable(length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length);
  loans.set(bytes.buffer, { open: 0, returned: 0 });
  return bytes;
}

/**
 * To be called before bytes are given to a socket; the answer, once the socket surely needs none of them any more. A loan
 * that is never returned keeps its memory from being freed by hand.
 */
export function lend(pieces: readonly Buffer[]): () => void {
  const lent: Loans[] = [];
  for (const { buffer } of pieces) {
    const known = buffer.byteLength < LENT_FROM ? undefined : loans.get(buffer);
    if (known === undefined) continue;
    known.open++;
    lent.push(known);
  }
  return () => {
    for (const known of lent.splice(0)) {
      known.open--;
      known.returned++;
    }
  };
}

/**
 * Frees the memory of a buffer made here, if it was lent and came back; else does nothing. Whoever still holds a part of it
 * then holds an empty one: never the bytes of somebody else.
 */
export function freeReturned({ buffer }: Buffer): void {
  const known = loans.get(buffer);
  if (known === undefined || known.open > 0 || known.returned === 0) return;
  loans.delete(buffer);
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/** Frees a piece that nobody else has a part of; does nothing to one that shares its memory. */
export function freeAlone({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
