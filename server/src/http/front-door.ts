// Public paths without a name in them are served in front of the framework, whose way of a request (hooks, content types,
// validation, answers) costs more than their whole admission. Plain requests to them do not even go through node:http.
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { GatewayError } from '../errors/gateway-error.ts';
import type { Clock } from '../shared/clock.ts';
import { makeOrderedId } from '../shared/ids.ts';
import type { AllowedMethods } from './allowed-methods.ts';
import type { BaseAddresses } from './base-addresses.ts';
import { ConnectionLimit } from './connection-limit.ts';
import { wrongHead } from './head-rules.ts';
import { asGatewayError, replyWithError } from './hooks/error-reply.ts';
import { lingerAfter } from './linger.ts';
import { takePlainConnections } from './plain/plain-connections.ts';
import type { PublicRequest, PublicResponse, PublicService } from './public-exchange.ts';
import { answerOnSocket } from './raw-answer.ts';
import type { PublicRoute } from './routes.ts';
import { type PublicDependencies, servePublic, splitUrl } from './serve-public.ts';

export interface FrontDoorDependencies {
  routes: readonly PublicRoute[];
  public: PublicDependencies;
  addresses: BaseAddresses;
  clock: Clock;
  keepAliveMs: number;
  nameAnswer(request: PublicRequest, response: PublicResponse, names: AnswerNames): void;
  allowed: AllowedMethods;
  maxConnectionsPerAddress: number;
}

/** What the headers of every answer are made from. */
export interface AnswerNames {
  requestId: string;
  /** Without the prefix of a base address. */
  path: string;
  legacy: boolean;
}

interface Arrival {
  request: PublicRequest;
  response: PublicResponse;
  serve: PublicService;
}

/** A larger body is not worth waiting for in one piece. */
const MOST_PLAIN_BYTES = 48 * 1024;

/** Puts the front door before the present listeners of the server; what is not for it goes on to them unchanged. */
export function openFrontDoor(server: Server, dependencies: FrontDoorDependencies): void {
  const routes = new Map(
    dependencies.routes
      .filter(({ path }) => !/[*:]/.test(path))
      .map((route) => [`${route.method} ${route.path}`, route]),
  );
  const behind = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  const goOn = (request: IncomingMessage, response: ServerResponse): void => {
    for (const listener of behind) listener.call(server, request, response);
  };
  const find = (method: string, asked: string, host: string | undefined): PublicService | undefined => {
    const { url, legacy } = dependencies.addresses.arrive(asked, host);
    const { path } = splitUrl(url);
    const route = routes.get(`${method} ${path}`);
    if (route === undefined) return undefined;
    return (request, response) => {
      request.url = url;
      const requestId = makeOrderedId('req', dependencies.clock.now());
      dependencies.nameAnswer(request, response, { requestId, path, legacy });
      // A connection that stayed open would be closed when it is idle, perhaps while its next request is on the way.
      if (!server.listening || dependencies.public.draining()) response.setHeader('connection', 'close');
      void servePublic(dependencies.public, route, { request, response, requestId, wildcard: '' });
    };
  };

  const makeId = (): string => makeOrderedId('req', dependencies.clock.now());
  const refuse = (request: IncomingMessage, response: ServerResponse, failure: Error): void => {
    const requestId = makeId();
    const { url, legacy } = dependencies.addresses.arrive(request.url ?? '/', request.headers.host);
    const { path } = splitUrl(url);
    dependencies.nameAnswer(request, response, { requestId, path, legacy });
    response.setHeader('connection', 'close');
    replyWithError(response, asGatewayError(failure), path, requestId);
  };
  const arrivals = new Arrivals<Arrival>({ serve: ({ request, response, serve }) => serve(request, response) });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    lingerAfter(request, response);
    if (!server.listening) response.shouldKeepAlive = false; // as for the public paths
    const wrong = wrongHead(request);
    if (wrong !== undefined) return refuse(request, response, wrong);
    if (request.url === '*' && request.method === 'OPTIONS')
      return answerForServer(response, dependencies.allowed, makeId());
    const serve = find(request.method ?? 'GET', request.url ?? '/', request.headers.host);
    arrivals.arrive({ request, response, serve: serve ?? (goOn as PublicService) });
  });
  // node:http would answer without a request id: wrongHead() refuses it.
  server.on('checkExpectation', (request, response) => void server.emit('request', request, response));
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => {});
    const message = 'This gateway is no proxy.';
    const headers = { allow: dependencies.allowed.all().join(', ') };
    answerOnSocket(socket, new GatewayError('method_not_allowed', { message, headers }), makeId());
  });
  const limit = new ConnectionLimit({
    most: dependencies.maxConnectionsPerAddress,
    isExempt: (address) => dependencies.public.trustedProxies?.matches(address) ?? false,
  });
  takePlainConnections(server, {
    mayConnect(socket) {
      const taken = limit.take(socket.remoteAddress);
      if (taken !== false) return taken;
      dependencies.public.metrics.refused('overloaded');
      socket.on('error', () => {});
      answerOnSocket(socket, tooManyConnections(), makeId());
      return false;
    },
    find: ({ url, headers }) => find('POST', url, headers.host),
    serve: (request, response, serve) => arrivals.arrive({ request, response, serve }),
    keepAliveMs: dependencies.keepAliveMs,
    mostBodyBytes: Math.min(MOST_PLAIN_BYTES, dependencies.public.maxBodyBytes),
  });
}

/** `OPTIONS *`: what the server as a whole takes (RFC 9110, 9.3.7). */
function answerForServer(response: ServerResponse, allowed: AllowedMethods, requestId: string): void {
  response.writeHead(204, { allow: [...new Set([...allowed.all(), 'OPTIONS'])].join(', '), 'x-request-id': requestId });
  response.end();
}

function tooManyConnections(): GatewayError {
  return new GatewayError('overloaded', { message: 'This address has too many connections open.', retryAfter: 5 });
}

export interface ArrivalsSettings<A> {
  serve(arrival: A): void;
  perRound?: number;
  /** Calls back when the event loop has done everything that is ready now. */
  nextRound?(work: () => void): void;
}

/** About 20 ms of refusals. */
const PER_ROUND = 256;

/**
 * Lets requests in, so many in a round of the event loop. A connection whose request waits sends no other, so the loop comes to
 * its timers and to the calls under way; else it reads on for seconds where more than 1,024 connections ask again at once.
 */
export class Arrivals<A extends { response: { destroyed: boolean } }> {
  readonly #settings: Required<ArrivalsSettings<A>>;
  readonly #round = (): void => this.#beginRound();
  #waiting: A[] = [];
  /** Since the last round that was called; one is called when there are as many as may be. */
  #begun = 0;

  constructor(settings: ArrivalsSettings<A>) {
    this.#settings = { perRound: PER_ROUND, nextRound: setImmediate, ...settings };
  }

  arrive(arrival: A): void {
    const { perRound, nextRound, serve } = this.#settings;
    if (this.#begun === perRound) {
      this.#waiting.push(arrival);
      return;
    }
    if (++this.#begun === perRound) nextRound(this.#round);
    serve(arrival);
  }

  #beginRound(): void {
    const { perRound, nextRound, serve } = this.#settings;
    const next = this.#waiting.splice(0, perRound);
    this.#begun = next.length;
    if (next.length === perRound) nextRound(this.#round);
    for (const arrival of next) if (!arrival.response.destroyed) serve(arrival);
  }
}
