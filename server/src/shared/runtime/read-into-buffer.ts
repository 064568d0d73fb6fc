// Gain: 3 to 16 us of about 155 us of a small chat. Removable alone: without it each piece costs 64 KB of new memory and a tick.
// Makes an accepted connection read into one buffer, as sockets to upstreams do; node:net offers that for outgoing connections
// only. Uses its private fields `_handle` and `_server` (docs/decisions/2026-11-15-quick-reads.md).
import { type Server, Socket } from 'node:net';
import { copyOf } from './copy-piece.ts';

/** What a socket has of its connection, which is for node:net alone. The version of Node is pinned, and tests watch over it. */
interface Inside {
  _handle: object | null;
  _server: Server | null;
}

const SHARED = Buffer.allocUnsafeSlow(65_536);

/** The same connection as another socket. `onPiece` answers whether more may come. */
export function readIntoBuffer(accepted: Socket, server: Server, onPiece: (piece: Buffer) => boolean): Socket {
  const { _handle: handle } = accepted as unknown as Inside;
  const onread = {
    buffer: SHARED,
    callback: (length: number, buffer: Uint8Array): boolean => onPiece(copyOf(buffer, 0, length)),
  };
  const options = { handle, onread, allowHalfOpen: accepted.allowHalfOpen, readable: true, writable: true };
  const socket = new Socket(options);
  Object.assign(accepted as unknown as Inside, { _handle: null, _server: null });
  (socket as unknown as Inside)._server = server;
  return socket;
}
