// What a change was made upon: a digest of what operators set. A change that names an old one is refused with 412
// (contract-2 10), so that of two people who edit the same thing the later sees what the first has done.
import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { GatewayError } from '../errors/gateway-error.ts';

/** Moved by traffic, not by operators. */
const MOVED_BY_TRAFFIC = new Set([
  'balance',
  'budget_start',
  'budget_used',
  'cap_used',
  'used',
  'held',
  'period_start',
  'period_used',
  'health',
]);

/** `moved`: further fields that others than operators move. */
export function withEtag<T extends object>(
  resource: T,
  moved: readonly (keyof T & string)[] = [],
): T & { etag: string } {
  const left = new Set<string>([...MOVED_BY_TRAFFIC, ...moved]);
  const fields = Object.entries(resource).filter(([name]) => !left.has(name));
  return { ...resource, etag: hash('sha256', JSON.stringify(fields), 'base64url').slice(0, 22) };
}

/** Within the transaction of the change. `current` is null where nothing is there yet. */
export function requireMatch({ headers }: FastifyRequest, current: { etag: string } | null): void {
  const asked = headers['if-match'];
  if (asked === undefined) return;
  const tags = asked.split(',').map((tag) => tag.trim().replace(/^W\//, '').replaceAll('"', ''));
  if (current !== null && (tags.includes('*') || tags.includes(current.etag))) return;
  throw new GatewayError('precondition_failed');
}

/** The header beside the field, on every answer of one resource. */
export function sendEtags(app: FastifyInstance): void {
  app.addHook('preSerialization', async (_request, reply, payload) => {
    const etag = (payload as { etag?: unknown } | null)?.etag;
    if (typeof etag === 'string') reply.header('etag', `"${etag}"`);
    return payload;
  });
}
