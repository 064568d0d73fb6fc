// Changes by operators with an idempotency key: carried out once, and answered the same again (contract 5, promise M-18).
// That a change was made is written with the change itself, so that no crash can make it happen twice.
import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Claim } from '../access/idempotency/claim.ts';
import { type Claims, readIdempotencyKey } from '../access/idempotency/claims.ts';
import { findOperator } from './sign-in/authenticate.ts';

/** The claim that the change under way belongs to. */
export const currentClaim = new AsyncLocalStorage<Claim>();

const texts = new WeakMap<FastifyRequest, string>();
const claimed = new WeakMap<FastifyRequest, Claim>();

/** The body as it came, for telling requests apart. */
export function rememberBody(request: FastifyRequest, text: string): void {
  texts.set(request, text);
}

export function answerOnce(app: FastifyInstance, claims: Claims): void {
  app.addHook('preHandler', async (request, reply) => {
    const key = request.method === 'POST' ? readIdempotencyKey(request.headers['idempotency-key']) : undefined;
    const operator = findOperator(request);
    if (key === undefined || operator === undefined) return undefined;
    const digest = createHash('sha256')
      .update(`${request.url}\n${texts.get(request) ?? ''}`)
      .digest('base64url');
    const found = await claims.begin({ scope: `operator:${operator.name}`, key, digest });
    if (found instanceof Claim) {
      claimed.set(request, found);
      return undefined;
    }
    const pieces: Buffer[] = [];
    for await (const piece of found.body()) pieces.push(piece);
    reply.serializer((payload) => payload as string).headers(found.head.headers);
    reply.header('idempotent-replayed', 'true').header('x-tollgate-first-request-id', found.head.requestId);
    return reply.code(found.status).send(Buffer.concat(pieces));
  });
  app.addHook('preHandler', (request, _reply, done) => {
    const claim = claimed.get(request);
    if (claim === undefined) done();
    else currentClaim.run(claim, done);
  });
  app.addHook('onSend', async (request, reply, payload) => {
    const claim = claimed.get(request);
    if (claim === undefined) return;
    claimed.delete(request);
    if (reply.statusCode >= 300) return claim.forget();
    if (typeof payload === 'string') claim.add(Buffer.from(payload));
    const type = reply.getHeader('content-type');
    const headers = typeof type === 'string' ? { 'content-type': type } : {};
    await claim.keep(reply.statusCode, { form: 'whole', headers, requestId: request.id });
  });
}
