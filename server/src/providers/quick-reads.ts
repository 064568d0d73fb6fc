// How sockets to upstreams read: all into one room, each piece then copied at its size and handed to the HTTP parser at once.
// Whatever the parser does not take at once goes the usual way of streams: backpressure, ends and order are theirs.
import type { OnReadOpts, Socket } from 'node:net';
import { copyOf } from '../shared/copy-piece.ts';

const ROOM_BYTES = 65_536;
/** What a socket offers to its reader right now. */
const OFFERED = Symbol('offered');

type QuickSocket = Socket & { [OFFERED]?: Buffer | undefined };

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
