// Makes the socket of an accepted connection read as sockets to upstreams do: into one room, each piece copied at its size.
// node:net offers that for connections that are made, not for those that come; without it each piece costs 64 KB of memory
// that is made and cut down, the list of a stream and a wait for the next tick (docs/decisions/2026-11-15-quick-reads.md).
import { type Server, Socket } from 'node:net';
import { copyOf } from '../../shared/copy-piece.ts';

/** What a socket has of its connection, which is for node:net alone. The version of Node is pinned, and tests watch over it. */
interface Inside {
  _handle: object | null;
  _server: Server | null;
}

const ROOM = Buffer.allocUnsafeSlow(65_536);

/** The same connection as another socket. `onPiece` answers whether more may come. */
export function readIntoRoom(accepted: Socket, server: Server, onPiece: (piece: Buffer) => boolean): Socket {
  const { _handle: handle } = accepted as unknown as Inside;
  const onread = {
    buffer: ROOM,
    callback: (length: number, room: Uint8Array): boolean => onPiece(copyOf(room, 0, length)),
  };
  const options = { handle, onread, allowHalfOpen: accepted.allowHalfOpen, readable: true, writable: true };
  const socket = new Socket(options);
  Object.assign(accepted as unknown as Inside, { _handle: null, _server: null });
  (socket as unknown as Inside)._server = server;
  return socket;
}
