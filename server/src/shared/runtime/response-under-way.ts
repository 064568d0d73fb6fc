// Gain: none in speed; node:http has no public way to ask which answer a connection is busy with. Removable alone where Node
// offers one. `_httpMessage` is a private field of node:http.
import type { Duplex } from 'node:stream';

export interface ResponseUnderWay {
  /** The request that it answers. */
  req: { complete: boolean };
  headersSent: boolean;
  shouldKeepAlive: boolean;
  once(event: 'close', listener: () => void): void;
}

/** The answer that node:http is writing, or is about to write, on this connection. */
export function responseUnderWay(socket: Duplex): ResponseUnderWay | undefined {
  return (socket as { _httpMessage?: ResponseUnderWay | null })._httpMessage ?? undefined;
}
