// Gain: a slow reader of one large write is seen to make progress. Removable alone: `writableLength` is the coarser answer. How
// much of what was written to a socket the system has not taken yet; `_handle` is a private field of node:net.
import type { Socket } from 'node:net';

/** It also falls within one large write, where `writableLength` falls only at its end. */
export function unsentBytes(socket: Socket | null): number {
  if (socket === null) return 0;
  const { _handle: handle } = socket as { _handle?: { writeQueueSize?: number } | null };
  return socket.writableLength + (handle?.writeQueueSize ?? 0);
}
