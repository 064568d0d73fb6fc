// For machines that watch the gateway: /healthz, /readyz, /metrics. The first two reveal no more than what is wrong,
// in a word or two.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { GatewayError } from '../errors/gateway-error.ts';
import { isLoopback } from './connection-limit.ts';

export interface ProbeDependencies {
  /** Undefined when it is ready. Cheap and cached: probes cannot be used to load the store. */
  whyNotReady(): Promise<string | undefined>;
  /** What works, but not as it should; shown beside the word. */
  degraded(): Record<string, string>;
  metrics(): Promise<{ contentType: string; text: string }>;
  /** Whether the request carries an operator key, of whatever role. Throws 429 for an address that guesses. */
  hasOperatorKey(request: FastifyRequest): Promise<boolean>;
}

export function registerProbes(app: FastifyInstance, dependencies: ProbeDependencies): void {
  const hidden = { schema: { hide: true } };
  app.get('/healthz', hidden, async () => ({ status: 'ok' }));
  app.get('/readyz', hidden, async (_request, reply) => {
    const reason = await dependencies.whyNotReady();
    const word = reason === undefined ? { status: 'ready' } : { status: 'not ready', reason };
    return reply.code(reason === undefined ? 200 : 503).send({ ...word, ...dependencies.degraded() });
  });
  app.get('/metrics', hidden, async (request, reply) => {
    if (!isLocal(request) && !(await dependencies.hasOperatorKey(request)))
      throw new GatewayError('forbidden', { message: 'Metrics are for this machine or an operator key.' });
    const { contentType, text } = await dependencies.metrics();
    return reply.type(contentType).send(text);
  });
}

/** What proxies, load balancers and networks of delivery put in for those whom they pass on: their own names, and words in any name. */
const FORWARDED =
  /^(?:via|x-host|x-scheme|x-request-start|x-arr-.*|x-original-.*|x-proxy.*|proxy-.*|cf-.*|cdn-.*|fastly-.*|fly-.*|x-azure-.*|x-amzn-.*|x-amz-cf-.*|x-appengine-.*|x-envoy-.*|x-nf-.*|x-vercel-.*|x-real-.*)$|forwarded|(?:client|real|user|remote|source|origin(?:al)?|connecting|connection)-?(?:ip|addr(?:ess)?)$/;

/** A proxy on this machine passes on strangers. One that says nothing of it speaks HTTP/1.0, as nginx does by default. */
function isLocal({ raw }: FastifyRequest): boolean {
  if (!isLoopback(raw.socket.remoteAddress ?? '') || raw.httpVersion !== '1.1') return false;
  return !Object.keys(raw.headers).some((name) => FORWARDED.test(name));
}
