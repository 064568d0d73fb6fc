// Gain: a body of 1 MB costs half as much, one of 30 MB a third. Removable alone: the garbage collector frees the same memory.
// Large buffers with a reference count, freed by hand: left to the collector, they cause full collections many times a second
// (docs/decisions/2026-11-15-large-bodies-freed-explicitly.md).

interface References {
  /** Sockets that may still read from it. */
  open: number;
  released: number;
}

const counts = new WeakMap<ArrayBufferLike, References>();

/**
 * Smaller buffers are left to the collector. A piece of this size is above the high-water mark of every socket: its writer
 * waits until the socket has sent it, and asks for the next piece only then.
 */
export const COUNTED_FROM = 128 * 1024;

/** A buffer, not yet filled, that may be freed later. */
export function allocateCounted(length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length);
  counts.set(bytes.buffer, { open: 0, released: 0 });
  return bytes;
}

/**
 * Call it before bytes are given to a socket, and the returned function once the socket surely needs none of them any more.
 * A reference that is never released leaves the memory to the collector.
 */
export function retain(pieces: readonly Buffer[]): () => void {
  const retained: References[] = [];
  for (const { buffer } of pieces) {
    const count = buffer.byteLength < COUNTED_FROM ? undefined : counts.get(buffer);
    if (count === undefined) continue;
    count.open++;
    retained.push(count);
  }
  return () => {
    for (const count of retained.splice(0)) {
      count.open--;
      count.released++;
    }
  };
}

/**
 * Frees the memory of a buffer made here if it was retained and is released; else does nothing. A part of it that is still
 * held is empty then: it never shows the bytes of another request.
 */
export function freeReleased({ buffer }: Buffer): void {
  const count = counts.get(buffer);
  if (count === undefined || count.open > 0 || count.released === 0) return;
  counts.delete(buffer);
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/** Frees a piece that owns its memory; does nothing to one that shares it. */
export function freeUnshared({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
