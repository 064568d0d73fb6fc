// The operator API on a real store, for tests: a server, a client that carries the operator key or a session, and a clock
// that can be moved. Only tests import this folder.
import { Readable } from 'node:stream';
import Fastify, { type FastifyInstance, type InjectOptions } from 'fastify';
import { Claims } from '../../access/idempotency/claims.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { makeSecretBox, type SecretBox } from '../../shared/secret-box.ts';
import type { Store } from '../../store/store.ts';
import { type OperatorDependencies, registerOperatorRoutes } from '../routes.ts';

export const OPERATOR_KEY = 'operator-key-of-the-tests';
export const START = 1_760_000_000_000;

export interface Answer {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  body: any;
  headers: Record<string, unknown>;
}

export type Call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;

export interface OperatorTestApp {
  app: FastifyInstance;
  store: Store;
  secretBox: SecretBox;
  clock: { now(): number; move(seconds: number): void };
  /** Method and path of every route, below the prefix. */
  routes: [method: string, path: string][];
  /** How often a change was applied. */
  changes: () => number;
  /** With the operator key. */
  call: Call;
  /** With exactly the given headers. */
  bare: Call;
}

export async function makeOperatorApp(
  store: Store,
  more: Partial<OperatorDependencies> = {},
): Promise<OperatorTestApp> {
  let milliseconds = START;
  let changes = 0;
  const routes: OperatorTestApp['routes'] = [];
  const clock = { now: () => milliseconds, move: (seconds: number) => void (milliseconds += seconds * 1000) };
  const secretBox = makeSecretBox('master secret of the tests');
  const app = Fastify({ routerOptions: { maxParamLength: 500 }, trustProxy: true });
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    if (!(error instanceof GatewayError)) return reply.code(error.statusCode ?? 500).send({ raw: error.message });
    if (error.details.retryAfter !== undefined) reply.header('retry-after', error.details.retryAfter);
    const { message, type, publicCode: code } = error;
    return reply.code(error.status).send({ error: { message, type, param: error.details.param ?? null, code } });
  });
  await app.register(
    async (scope) => {
      scope.addHook('onRoute', ({ method, path }) => {
        routes.push([String(method), path.replace('/operator/v1', '').replaceAll(/:\w+/g, 'x')]);
      });
      await registerOperatorRoutes(scope, {
        store,
        clock,
        currency: 'USD',
        portalUrl: 'https://tollgate.example',
        secretBox,
        claims: new Claims({ store, box: secretBox, owner: 'test', silenceSeconds: 10 }),
        guarded: { check: (text) => new URL(text) },
        operatorKey: OPERATOR_KEY,
        trustedProxies: undefined,
        secureCookies: false,
        oidc: undefined,
        onChange: async () => void changes++,
        upstreamModels: async () => ['one', 'two'],
        previewChannel: async ({ model }) => ({
          models: ['one'],
          listError: undefined,
          test: model === undefined ? undefined : { ok: true, status: 200, latency_ms: 3, message: model },
        }),
        testChannel: async (id, model) => ({ ok: true, status: 200, latency_ms: 12, message: `${id} ${model}` }),
        channelHealth: () => [],
        exports: { states: () => Promise.resolve([]), archive: undefined },
        alerts: { hasMail: true, wake() {}, test: () => Promise.reject(new Error('no sender')) },
        processState: async () => ({
          version: '0.0.0',
          node_version: process.versions.node,
          started_at: START / 1000,
          uptime_seconds: 7,
          store: store.dialect,
          redis: 'not_used' as const,
          workers: [{ worker: '1', rss_bytes: 2, heap_bytes: 1 }],
          settings: [{ name: 'PORT', value: '8080', is_secret: false }],
        }),
        videoContent: async ({ id }) => ({
          status: 200,
          headers: { 'content-type': 'video/mp4' },
          body: Readable.from([id]),
        }),
        ...more,
      });
    },
    { prefix: '/operator/v1' },
  );
  const bare: Call = async (method, path, body, headers = {}) => {
    const options: InjectOptions = { method, url: `/operator/v1${path}`, headers };
    if (body !== undefined) options.payload = body as object;
    const answer = await app.inject(options);
    const json = answer.body.startsWith('{') ? answer.json() : answer.body;
    return { status: answer.statusCode, body: json, headers: answer.headers };
  };
  const call: Call = (method, path, body, headers) =>
    bare(method, path, body, { authorization: `Bearer ${OPERATOR_KEY}`, ...headers });
  return { app, store, secretBox, clock, routes, changes: () => changes, call, bare };
}
