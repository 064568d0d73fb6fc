// Sends to one side of a session at its pace.
import type { WebSocket } from '../../shared/runtime/websockets.ts';

/** So much may wait for a side that reads slowly. */
const MOST_WAITING = 1024 * 1024;
/** A side that takes nothing for so long is not there any more. */
const STALL_MS = 60_000;

/** A promise only where too much waits: until this has left, or the connection is over. */
export function sendEvent(to: WebSocket, event: Buffer | string): void | Promise<void> {
  if (to.readyState !== to.OPEN) return undefined;
  let done: (() => void) | undefined;
  to.send(event, { binary: false }, () => done?.());
  if (to.bufferedAmount <= MOST_WAITING) return undefined;
  return new Promise((resolve) => {
    const timer = setTimeout(() => to.terminate(), STALL_MS);
    done = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}

const NO_STATUS = 1005;

/** Whether this code may be sent to a side: some are never sent in a close frame. */
export function isSendable(code: number): boolean {
  return (code >= 1000 && code <= 1014 && code !== 1004 && code !== NO_STATUS && code !== 1006) || code >= 3000;
}

const MOST_REASON_BYTES = 123;
/** For the other side's word of the end. */
const FAREWELL_MS = 2_000;

/** Closes in good order; a side that does not answer is left. */
export function closeSocket(socket: WebSocket, code: number, reason: string): void {
  if (socket.readyState === socket.CLOSED) return;
  const timer = setTimeout(() => socket.terminate(), FAREWELL_MS);
  socket.once('close', () => clearTimeout(timer));
  if (code === NO_STATUS) socket.close();
  else if (isSendable(code)) socket.close(code, shorten(reason));
  else socket.terminate();
}

function shorten(reason: string): string {
  let short = reason;
  while (Buffer.byteLength(short) > MOST_REASON_BYTES) short = short.slice(0, -1);
  return short;
}
