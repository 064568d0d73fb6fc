// Where a request comes from. Headers are believed only from trusted proxies, or guesses could claim any address.
import type { FastifyRequest } from 'fastify';
import { type AddressMatcher, clientAddress } from '../../access/addresses.ts';

export function addressOf(
  { raw: { headers, socket } }: FastifyRequest,
  { trustedProxies }: { trustedProxies: AddressMatcher | undefined },
): string {
  const forwarded = headers['x-forwarded-for'];
  const text = Array.isArray(forwarded) ? forwarded.join(',') : forwarded;
  return clientAddress(socket.remoteAddress, text, trustedProxies) || 'unknown';
}
