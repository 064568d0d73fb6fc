// Copies of what sockets read into a room that they share.

/** Small pieces share memory, but little of it: one that is kept keeps its whole slab. */
const SLAB_BYTES = 8_192;
const MOST_SHARED = 1_024;

let slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
let slabUsed = 0;

/** A part of the room, at its size. */
export function copyOf(room: Uint8Array, start: number, end: number): Buffer {
  const length = end - start;
  const piece = length > MOST_SHARED ? Buffer.allocUnsafeSlow(length) : takeFromSlab(length);
  piece.set(length === room.length ? room : room.subarray(start, end));
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
