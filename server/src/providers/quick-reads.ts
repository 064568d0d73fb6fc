// How sockets to upstreams read: all into one room, from which each piece is copied at its size and handed to the HTTP parser
// at once. A socket left to itself makes 64 KB of room for every piece, cuts it down again, puts it on a stream's list and
// waits twice for the next tick, which for the small pieces of a stream costs more than all that is done with them. Whatever
// the parser does not take at once goes the usual way of streams: backpressure, ends and what is put back are theirs.
import type { OnReadOpts, Socket } from 'node:net';

const ROOM_BYTES = 65_536;
/** What a socket offers to its reader right now. */
const OFFERED = Symbol('offered');

type QuickSocket = Socket & { [OFFERED]?: Buffer | null };

function onPiece(this: QuickSocket, length: number, room: Uint8Array): boolean {
  const piece = Buffer.allocUnsafe(length);
  piece.set(length === room.length ? room : room.subarray(0, length));
  if (this.readableLength > 0) return this.push(piece);
  if (this[OFFERED] === undefined) this.read = takeOffered;
  this[OFFERED] = piece;
  this.emit('readable');
  const left = this[OFFERED];
  this[OFFERED] = null;
  return left === null || this.push(left);
}

function takeOffered(this: QuickSocket, size?: number): unknown {
  const piece = this[OFFERED];
  if (size !== undefined || !piece) return Object.getPrototypeOf(this).read.call(this, size);
  this[OFFERED] = null;
  return piece;
}

/** For the options of a connection, plain or with TLS. Nothing reads into the room before the last piece has left it. */
export const quickReads: OnReadOpts = {
  buffer: Buffer.allocUnsafeSlow(ROOM_BYTES),
  callback: onPiece,
};
