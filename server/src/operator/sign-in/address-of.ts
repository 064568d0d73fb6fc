// Where a request comes from: the socket, never a header, or guesses could claim any address.
import type { FastifyRequest } from 'fastify';

export function addressOf(request: FastifyRequest): string {
  return request.socket.remoteAddress ?? 'unknown';
}
