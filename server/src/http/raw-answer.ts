// An error answered on a bare socket, where no request could be made of what came.
import type { Duplex } from 'node:stream';
import type { GatewayError } from '../errors/gateway-error.ts';
import { STATUS_CODES } from '../shared/runtime/node-http.ts';
import { errorReply } from './hooks/error-reply.ts';

/** The connection ends with it. */
export function answerOnSocket(
  socket: Duplex & { destroySoon?(): void },
  error: GatewayError,
  requestId: string,
  more: Readonly<Record<string, string>> = {},
): void {
  const { status, headers, body } = errorReply(error, '/', requestId);
  const lines = Object.entries({
    ...more,
    ...headers,
    'x-request-id': requestId,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  if (socket.destroySoon === undefined) socket.end();
  else socket.destroySoon();
}
