// Gain: see quick-reads.ts and read-into-buffer.ts; removable alone with them, Buffer.from does the same. Copies what sockets read into
// a buffer that they share (docs/decisions/2026-11-15-quick-reads.md).

/** Small pieces share memory, but little of it: one that is kept keeps its whole slab. */
const SLAB_BYTES = 8_192;
const MOST_SHARED = 1_024;

let slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
let slabUsed = 0;

/** A copy of a part of the buffer, at its size. */
export function copyOf(buffer: Uint8Array, start: number, end: number): Buffer {
  const length = end - start;
  const piece = length > MOST_SHARED ? Buffer.allocUnsafeSlow(length) : takeFromSlab(length);
  piece.set(length === buffer.length ? buffer : buffer.subarray(start, end));
  return piece;
}

function takeFromSlab(length: number): Buffer {
  if (slabUsed + length > SLAB_BYTES) {
    slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
    slabUsed = 0;
  }
  const start = slabUsed;
  slabUsed += length;
  return slab.subarray(start, slabUsed);
}
