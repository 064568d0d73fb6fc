// For machines that watch the gateway: /healthz, /readyz, /metrics. The first two reveal no more than what is wrong,
// in a word or two.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { GatewayError } from '../errors/gateway-error.ts';

export interface ProbeParts {
  /** Undefined when it is ready. Cheap and cached: probes cannot be used to load the store. */
  whyNotReady(): Promise<string | undefined>;
  /** What works, but not as it should; shown beside the word. */
  degraded(): Record<string, string>;
  metrics(): Promise<{ contentType: string; text: string }>;
  /** Whether the request carries an operator key, of whatever role. Throws 429 for an address that guesses. */
  hasOperatorKey(request: FastifyRequest): Promise<boolean>;
}

export function registerProbes(app: FastifyInstance, parts: ProbeParts): void {
  const hidden = { schema: { hide: true } };
  app.get('/healthz', hidden, async () => ({ status: 'ok' }));
  app.get('/readyz', hidden, async (_request, reply) => {
    const reason = await parts.whyNotReady();
    const word = reason === undefined ? { status: 'ready' } : { status: 'not ready', reason };
    return reply.code(reason === undefined ? 200 : 503).send({ ...word, ...parts.degraded() });
  });
  app.get('/metrics', hidden, async (request, reply) => {
    if (!isLocal(request) && !(await parts.hasOperatorKey(request)))
      throw new GatewayError('forbidden', { message: 'Metrics are for this machine or an operator key.' });
    const { contentType, text } = await parts.metrics();
    return reply.type(contentType).send(text);
  });
}

/** A proxy on this machine passes on strangers: then the forwarding headers tell. */
function isLocal({ raw }: FastifyRequest): boolean {
  const address = raw.socket.remoteAddress ?? '';
  const loopback = address === '::1' || address.startsWith('127.') || address.startsWith('::ffff:127.');
  return loopback && raw.headers['x-forwarded-for'] === undefined && raw.headers.forwarded === undefined;
}
