// What is left of a body when its request has been answered: it is taken in for a while, so that the client gets to read the
// answer, and then the connection ends. Nobody keeps one open by sending a byte now and then.
import type { IncomingMessage, ServerResponse } from 'node:http';

const LINGER_MS = 5_000;

/** For every request through node:http, on every path. */
export function lingerAfter(request: IncomingMessage, response: ServerResponse): void {
  if (!hasBody(request)) return;
  response.once('finish', () => {
    if (request.complete || request.destroyed || request.socket.destroyed) return;
    request.resume();
    const timer = setTimeout(() => {
      if (!request.complete) request.socket.destroy();
    }, LINGER_MS);
    request.once('close', () => clearTimeout(timer));
    request.once('end', () => clearTimeout(timer));
  });
}

export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}
