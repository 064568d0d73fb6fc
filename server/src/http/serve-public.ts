// Serves one request to a public path: token, address and limits are checked from the head alone, before any of the body
// is read; then the endpoint has it.
import { type AddressMatcher, clientAddress } from '../access/addresses.ts';
import { admitOrigin, admitToken, type Authenticator } from '../access/authenticate.ts';
import { readMessagesVersion } from '../access/credentials.ts';
import { type Claims, readIdempotencyKey } from '../access/idempotency/claims.ts';
import type { Principal } from '../access/principal.ts';
import { checkModelScope } from '../access/scopes.ts';
import type { EndpointDependencies, Exchange } from '../endpoints/endpoint.ts';
import { GatewayError, invalidRequest } from '../errors/gateway-error.ts';
import type { KeptBodies } from '../relay/kept-bodies.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { logRequest, type NamedOutcome, type RequestLine, type RequestOutcomes } from '../telemetry/request-line.ts';
import type { ObservedCall, Tracing } from '../telemetry/tracing.ts';
import type { Admission } from './admission/admission.ts';
import type { Refusals } from './admission/refusals.ts';
import { CopiedExchange } from './bodies/copied-exchange.ts';
import { ObservedExchange } from './bodies/observed-exchange.ts';
import type { EarlyRefusals } from './early-refusals.ts';
import { asGatewayError, errorReply, logAccident, replyWithError } from './hooks/error-reply.ts';
import { serveOnce } from './idempotency/serve-once.ts';
import type { PublicRequest, PublicResponse } from './public-exchange.ts';
import { RawReply } from './replies/client-reply.ts';
import { type BodyDependencies, RequestBody } from './request-body.ts';
import type { PublicRoute } from './routes.ts';

export interface PublicDependencies extends EndpointDependencies, BodyDependencies {
  authenticator: Authenticator;
  claims: Claims;
  trustedProxies: AddressMatcher | undefined;
  logger: Logger;
  metrics: Metrics;
  admission: Admission;
  refusals: Refusals;
  earlyRefusals: EarlyRefusals;
  keptBodies: KeptBodies;
  tracing: Tracing | undefined;
  /** What became of requests, for their log lines. */
  outcomes: RequestOutcomes;
  /** True once the process is stopping. */
  draining(): boolean;
}

export interface Arrived {
  request: PublicRequest;
  response: PublicResponse;
  requestId: string;
  wildcard: string;
}

const STRICT = 'x-tollgate-strict';
const NOTHING_SEEN: ObservedCall = { isStream: false, request: {}, response: {} };
/** Logged for a client that left before it was answered. */
const CLIENT_GONE = 499;

export async function servePublic(
  dependencies: PublicDependencies,
  route: PublicRoute,
  arrived: Arrived,
): Promise<void> {
  const { request, response, requestId } = arrived;
  const startedAt = performance.now();
  const { path, query } = splitUrl(request.url ?? '/');
  const body = new RequestBody(dependencies, arrived);
  let principal: Principal | undefined;
  let admitted = false;
  let isIn = true;
  let isClosed = false;
  let outlives = false; // with an idempotency key the call goes on when its client leaves, and counts as long as it does
  let copied: CopiedExchange | undefined;
  let observed: ObservedExchange | undefined;
  let refused: NamedOutcome | undefined;
  let isServed = false;
  let close: Pick<RequestLine, 'status' | 'ms' | 'complete'> | undefined;
  const leave = (): void => {
    if (!isIn) return;
    isIn = false;
    dependencies.admission.leave();
    if (admitted && principal !== undefined) dependencies.admission.end(principal.tokenId);
  };
  response.once('close', () => {
    isClosed = true;
    if (!outlives) leave();
    if (copied !== undefined) dependencies.keptBodies.keep(copied.end(response));
    const status = response.headersSent ? response.statusCode : CLIENT_GONE;
    close = { status, ms: Math.round(performance.now() - startedAt), complete: response.writableFinished };
    if (isServed) log(close);
  });
  // When it is both answered and closed: only then its end is known.
  const log = (ended: Pick<RequestLine, 'status' | 'ms' | 'complete'>): void =>
    logRequest(dependencies.logger, {
      requestId,
      method: route.method,
      path,
      tokenId: principal?.tokenId,
      ...ended,
      ...(dependencies.outcomes.take(requestId) ?? refused),
    });
  if (dependencies.logger.isLevelEnabled('info')) dependencies.outcomes.open(requestId);
  if (route.carrier === 'messages') response.setHeader('request-id', requestId); // where its SDKs look (contract-2 7)
  try {
    dependencies.admission.arrive();
    const { traceparent } = request.headers;
    dependencies.tracing?.arrived(requestId, typeof traceparent === 'string' ? traceparent : undefined);
    if (dependencies.draining())
      throw new GatewayError('overloaded', { message: 'The gateway is stopping. Retry.', retryAfter: 1 });
    const known = admitToken(dependencies.authenticator, { path, query, headers: request.headers }, route.carrier);
    principal = known instanceof Promise ? await known : known;
    if (isClosed) throw new GatewayError('client_gone'); // meanwhile: nobody would end what begins now
    body.payer = principal;
    const { origin } = request.headers;
    admitOrigin(principal, { origin, address: addressOf(request, dependencies.trustedProxies) });
    const version = route.carrier === 'messages' ? readMessagesVersion(request.headers) : undefined;
    const slot = dependencies.admission.begin(principal.tokenId);
    admitted = true;
    if (slot !== undefined) await waitForSlot(dependencies, slot, response);
    const own = exchangeOf(arrived, body, { principal, startedAt, query, version });
    if (principal.storeBodies !== undefined) copied = new CopiedExchange(own, principal.storeBodies);
    const seen = copied?.exchange ?? own;
    if (dependencies.tracing !== undefined) observed = new ObservedExchange(seen);
    const exchange = observed?.exchange ?? seen;
    const idempotencyKey = route.method === 'POST' ? readIdempotencyKey(request.headers['idempotency-key']) : undefined;
    outlives = idempotencyKey !== undefined;
    const serve = (through: Exchange): Promise<void> | void => route.endpoint(dependencies, through);
    const served =
      idempotencyKey === undefined
        ? serve(exchange)
        : serveOnce(
            dependencies.claims,
            {
              key: idempotencyKey,
              path,
              exchange,
              checkModel: (model) => checkModelScope(dependencies.catalogue.current, exchange.principal, model),
            },
            serve,
          );
    if (served !== undefined) await served;
  } catch (error) {
    const failure = asGatewayError(error);
    refused = { error: failure.code };
    if (!admitted) dependencies.metrics.refused(failure.code);
    logAccident(dependencies.logger, failure, requestId);
    dependencies.earlyRefusals.note({ requestId, path, startedAt, principal, failure });
    if (failure.code === 'overloaded' && !response.headersSent) {
      leave();
      await dependencies.refusals.wait();
    }
    if (!response.headersSent && !response.destroyed) copied?.answered(errorReply(failure, path, requestId).body);
    replyWithError(response, failure, path, requestId);
  } finally {
    dependencies.tracing?.left(requestId, observed && (() => observed?.read() ?? NOTHING_SEEN));
    body.end();
    isServed = true;
    if (close !== undefined) log(close);
    outlives = false;
    if (isClosed) leave();
  }
}

async function waitForSlot(
  dependencies: PublicDependencies,
  slot: Promise<void>,
  response: PublicResponse,
): Promise<void> {
  try {
    await slot;
  } catch (error) {
    dependencies.metrics.refused(asGatewayError(error).code);
    throw error;
  }
  if (response.destroyed) throw new GatewayError('client_gone');
}

function exchangeOf(
  { request, response, requestId, wildcard }: Arrived,
  body: RequestBody,
  known: { principal: Principal; startedAt: number; query: string; version: string | undefined },
): Exchange {
  return {
    requestId,
    method: request.method ?? 'GET',
    ...known,
    wildcard,
    reply: new RawReply(response),
    strict: asksStrict(request, known.principal),
    header(name) {
      const value = request.headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    },
    sendsJson: body.isJson,
    readJson: () => body.readJson(),
    readForm: (options) => body.readForm(options),
    reserve: (bytes, lasting) => body.reserve(bytes, lasting),
    sendJson(value) {
      const text = JSON.stringify(value);
      response.writeHead(200, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(text),
      });
      response.end(text);
    },
  };
}

/** The header decides where it is sent; else the token does. What it means is not guessed: it is there for safety. */
function asksStrict({ headers }: PublicRequest, { strict }: Principal): boolean {
  const asked = headers[STRICT];
  if (asked === undefined) return strict;
  const text = String(asked).toLowerCase();
  if (text !== 'true' && text !== 'false')
    throw invalidRequest(`The header "${STRICT}" must be true or false.`, STRICT);
  return text === 'true';
}

export function addressOf(
  request: Pick<PublicRequest, 'headers' | 'socket'>,
  trustedProxies: AddressMatcher | undefined,
): string {
  const forwarded = request.headers['x-forwarded-for'];
  return clientAddress(
    request.socket.remoteAddress,
    Array.isArray(forwarded) ? forwarded.join(',') : forwarded,
    trustedProxies,
  );
}

export function splitUrl(url: string): { path: string; query: string } {
  const mark = url.indexOf('?');
  return mark === -1 ? { path: url, query: '' } : { path: url.slice(0, mark), query: url.slice(mark + 1) };
}
