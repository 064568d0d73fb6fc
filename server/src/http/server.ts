// Builds the HTTP server: request ids, the two base addresses, public routes on raw responses, the operator API and pages
// through the framework.
import type { IncomingMessage } from 'node:http';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyRequest } from 'fastify';
import { type OperatorDependencies, registerOperatorRoutes } from '../operator/routes.ts';
import { registerPortalRoutes } from '../portal/routes.ts';
import type { RealtimeSessions } from '../relay/realtime/realtime-sessions.ts';
import type { Clock } from '../shared/clock.ts';
import { makeOrderedId } from '../shared/ids.ts';
import { AllowedMethods, FITS } from './allowed-methods.ts';
import { registerApiDocs } from './api-docs.ts';
import type { BaseAddresses } from './base-addresses.ts';
import { onClientError } from './client-error.ts';
import type { Cors } from './cors.ts';
import { type AnswerNames, openFrontDoor } from './front-door.ts';
import { noteUnknownPath } from './note-unknown-path.ts';
import { paceBody } from './paced-body.ts';
import { type Brand, registerConsole } from './console-files.ts';
import { registerGuide } from './guide-files.ts';
import { asGatewayError, errorReply, logAccident, replyWithError } from './hooks/error-reply.ts';
import { registerProbes, type ProbeDependencies } from './probes.ts';
import { isUpgrade, serveRealtime } from './realtime/serve-realtime.ts';
import { refusePath, refuseUpgrade } from './refuse-path.ts';
import type { PublicRequest, PublicResponse } from './public-exchange.ts';
import { publicRoutes, servesPath } from './routes.ts';
import { type PublicDependencies, servePublic, splitUrl } from './serve-public.ts';

export interface ServerDependencies {
  public: PublicDependencies;
  operator: OperatorDependencies;
  probes: ProbeDependencies;
  /** Realtime sessions of this process. */
  sessions: RealtimeSessions;
  addresses: BaseAddresses;
  cors: Cors;
  /** Connections that one address may have open. */
  maxConnectionsPerAddress: number;
  /** Path prefix of the new base address: the reference page's files are linked under it. */
  docsPrefix: string;
  /** The operator's own name and colour, for the portal. */
  brand: Brand;
  clock: Clock;
}

const OPERATOR_BODY_BYTES = 1024 * 1024;
/** Promised are 15 s: one may pass until somebody looks, and two before a silent connection is here (plain/). */
const HEADERS_TIMEOUT_MS = 12_000;
const LOOK_AT_CONNECTIONS_MS = 1_000;
const MOST_HEADER_BYTES = 16 * 1024;
/** Marks the routes that write their own log line. */
const PUBLIC = 'public';
/** Asked every few seconds by machines. */
const QUIET_PATHS = new Set(['/healthz', '/readyz', '/metrics']);
const KEEP_ALIVE_MS = 72_000;

export async function buildServer(dependencies: ServerDependencies): Promise<FastifyInstance> {
  const { logger } = dependencies.public;
  const legacyRequests = new WeakSet<IncomingMessage>();
  /** What every answer carries, whichever handler gives it. */
  const nameAnswer = ({ headers }: PublicRequest, response: PublicResponse, answer: AnswerNames): void => {
    const { requestId, path, legacy } = answer;
    response.setHeader('x-request-id', requestId);
    if (headers.origin !== undefined) setHeaders(response, dependencies.cors.answerHeaders(path, headers));
    if (legacy) setHeaders(response, dependencies.addresses.legacyHeaders(path));
  };
  const nameFrameworkAnswer = ({ raw, id }: FastifyRequest, response: PublicResponse): void =>
    nameAnswer(raw, response, {
      requestId: id,
      path: splitUrl(raw.url ?? '/').path,
      legacy: legacyRequests.has(raw),
    });
  const app = Fastify({
    logger: false,
    bodyLimit: OPERATOR_BODY_BYTES,
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: 0, // bodies have limits of their own
    return503OnClosing: false,
    trustProxy: (address) => dependencies.public.trustedProxies?.matches(address) ?? false,
    forceCloseConnections: 'idle',
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    routerOptions: { maxParamLength: MOST_HEADER_BYTES }, // the handler of the path checks its parameters
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: LOOK_AT_CONNECTIONS_MS,
      maxHeaderSize: MOST_HEADER_BYTES,
      requireHostHeader: false, // node:http would answer without a request id (head-rules.ts)
      shouldUpgradeCallback: (request) => isUpgrade(dependencies.addresses, request),
    },
    genReqId: () => makeOrderedId('req', dependencies.clock.now()),
    rewriteUrl(request) {
      const { url, legacy } = dependencies.addresses.arrive(request.url ?? '/', request.headers.host);
      if (legacy) legacyRequests.add(request);
      return url;
    },
    clientErrorHandler: (error, socket) =>
      onClientError(error, socket, () => makeOrderedId('req', dependencies.clock.now())),
    frameworkErrors(error, request, reply) {
      const failure = asGatewayError(error);
      nameFrameworkAnswer(request, reply.raw);
      replyWithError(reply.raw, failure, splitUrl(request.raw.url ?? '/').path, request.id);
    },
  });

  app.addHook('onRequest', (request, reply, done) => {
    nameFrameworkAnswer(request, reply.raw);
    done();
  });
  // Public routes write their own line (serve-public.ts).
  app.addHook('onResponse', (request, reply, done) => {
    const { path } = splitUrl(request.url);
    const { config } = request.routeOptions;
    if (!QUIET_PATHS.has(path) && !(PUBLIC in config)) {
      logger.info({
        request_id: request.id,
        method: request.method,
        path,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      });
    }
    done();
  });
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const failure = asGatewayError(error);
    logAccident(logger, failure, request.id);
    const { status, headers, body } = errorReply(failure, splitUrl(request.url).path, request.id);
    return reply.code(status).headers(headers).send(body);
  });

  const allowed = new AllowedMethods();
  allowed.watch(app);
  app.setNotFoundHandler((request, reply) => {
    const { path } = splitUrl(request.url);
    const preflight =
      request.method === 'OPTIONS' ? dependencies.cors.preflight(path, request.headers, allowed.of(path)) : undefined;
    if (preflight !== undefined) return reply.code(preflight.status).headers(preflight.headers).send();
    if (request.headers.upgrade !== undefined && allowed.of(path).length > 0) throw refuseUpgrade(path);
    const failure = refusePath(allowed, request.method, path);
    const { query } = splitUrl(request.raw.url ?? '/');
    const asked = { requestId: request.id, path, query, headers: request.headers, failure };
    noteUnknownPath(dependencies.public, asked).catch((error: unknown) =>
      logger.warn({ error }, 'a refusal was not logged'),
    );
    throw failure;
  });

  // Only the operator API has its bodies read by the framework. Those of public routes stay on the socket until the
  // endpoint asks for them: without a token, or for a path that is not served, none of it is read.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  registerApiDocs(app, dependencies.docsPrefix);
  await app.register(async (scope) => registerPublicRoutes(scope, dependencies.public, allowed));
  await app.register(
    async (scope) => {
      scope.addHook('preParsing', paceBody);
      await registerOperatorRoutes(scope, dependencies.operator);
    },
    { prefix: '/operator/v1' },
  );
  await app.register(
    async (scope) => {
      scope.addHook('preParsing', paceBody);
      await registerPortalRoutes(scope, dependencies.operator);
    },
    { prefix: '/portal/v1' },
  );
  registerProbes(app, dependencies.probes);
  registerConsole(app, dependencies);
  registerGuide(app);
  serveRealtime(app.server, dependencies);
  openFrontDoor(app.server, { ...dependencies, routes: publicRoutes, keepAliveMs: KEEP_ALIVE_MS, nameAnswer, allowed });
  return app;
}

function registerPublicRoutes(app: FastifyInstance, dependencies: PublicDependencies, allowed: AllowedMethods): void {
  for (const route of publicRoutes) {
    app.route({
      method: route.method,
      url: route.path,
      schema: { hide: true }, // described in describe-public.ts
      config: { [PUBLIC]: true, [FITS]: route.fits },
      handler(request, reply) {
        const [wildcard = ''] = Object.values(request.params as Record<string, string>); // a route has one at most
        const isCut = wildcard === '' && /[*:]/.test(route.path); // a slash too many behind another path
        const path = route.path.replace(/\*|:id/, () => wildcard); // some clients write %3A for a colon
        const misfits = isCut || !servesPath(route, path);
        const asked = isCut ? splitUrl(request.url).path : path;
        const served = misfits ? { ...route, endpoint: nothingThere(allowed, request.method, asked) } : route;
        reply.hijack();
        void servePublic(dependencies, served, {
          request: request.raw,
          response: reply.raw,
          requestId: request.id,
          wildcard,
        });
      },
    });
  }
}

function setHeaders(response: PublicResponse, headers: Record<string, string> | undefined): void {
  for (const name in headers) response.setHeader(name, headers[name] ?? '');
}

/** Routes with schemas bring a compiler; the framework's own, which it would load by itself, take 2 MB. */
function noCompiler(): never {
  throw new Error('there is no compiler for this schema');
}

function nothingThere(allowed: AllowedMethods, method: string, path: string): () => never {
  return () => {
    throw refusePath(allowed, method, path);
  };
}
