// What the HTTP parser refuses, and what comes behind the last request of a connection.
import type { Duplex } from 'node:stream';
import { GatewayError } from '../errors/gateway-error.ts';
import { responseUnderWay } from '../shared/runtime/response-under-way.ts';
import { answerOnSocket } from './raw-answer.ts';

type Connection = Duplex & { destroySoon?(): void };

const PARSER_ERROR = /^HPE_/;
/** Connections that end behind the answer under way. */
const ended = new WeakSet<Duplex>();

export function onClientError(error: NodeJS.ErrnoException, socket: Connection, makeId: () => string): void {
  const begun = responseUnderWay(socket);
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  // Behind a whole request. Words of ours would be taken for the answer that is under way: the connection ends behind it.
  if (begun?.req.complete === true && PARSER_ERROR.test(error.code ?? '')) {
    if (ended.has(socket)) return; // the parser says it again with every packet
    ended.add(socket);
    begun.shouldKeepAlive = false;
    begun.once('close', () => socket.destroySoon?.());
    return;
  }
  if (begun?.headersSent === true) return void socket.destroy();
  if (error.code === 'HPE_CLOSED_CONNECTION') return socket.destroySoon?.(); // behind the last answer, which leaves first
  const tooLong = error.code === 'HPE_HEADER_OVERFLOW';
  const message = tooLong ? 'The request headers are too large.' : 'This is not an HTTP request that can be read.';
  answerOnSocket(socket, new GatewayError('invalid_request', { message, ...(tooLong && { status: 431 }) }), makeId());
}
