// How sockets to upstreams read: all into one room, each piece then copied at its size and handed to the HTTP parser at once.
// Whatever the parser does not take at once goes the usual way of streams: backpressure, ends and order are theirs.
import type { OnReadOpts, Socket } from 'node:net';

const ROOM_BYTES = 65_536;
/** Small pieces share memory, but little of it: one that is kept keeps its whole slab. */
const SLAB_BYTES = 8_192;
const MOST_SHARED = 1_024;
/** What a socket offers to its reader right now. */
const OFFERED = Symbol('offered');

type QuickSocket = Socket & { [OFFERED]?: Buffer | undefined };

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

function onPiece(this: QuickSocket, length: number, room: Uint8Array): boolean {
  const piece = copyOf(room, 0, length);
  if (this.readableLength > 0) return this.push(piece);
  if (!Object.hasOwn(this, OFFERED)) this.read = takeOffered;
  this[OFFERED] = piece;
  this.emit('readable');
  const left = this[OFFERED];
  this[OFFERED] = undefined;
  return left === undefined || this.push(left);
}

function takeOffered(this: QuickSocket, size?: number): unknown {
  const piece = this[OFFERED];
  if (size !== undefined || piece === undefined) return Object.getPrototypeOf(this).read.call(this, size);
  this[OFFERED] = undefined;
  return piece;
}

/** For the options of a connection, plain or with TLS. Nothing reads into the room before the last piece has left it. */
export const quickReads: OnReadOpts = { buffer: Buffer.allocUnsafeSlow(ROOM_BYTES), callback: onPiece };
