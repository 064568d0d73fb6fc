// How much of what was written to a socket the system has not taken yet.
import type { Socket } from 'node:net';

/** It becomes less also within one large write, of which the stream's own count tells only when it is done. */
export function unsentBytes(socket: Socket | null): number {
  if (socket === null) return 0;
  const { _handle: handle } = socket as { _handle?: { writeQueueSize?: number } | null };
  return socket.writableLength + (handle?.writeQueueSize ?? 0);
}
