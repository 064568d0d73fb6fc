// Serves requests to become a WebSocket for a realtime session: token, address and limits are checked as for every call, an
// upstream is opened, and only then the client is answered. Refusals are ordinary HTTP answers.
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { admitOrigin, admitToken } from '../../access/authenticate.ts';
import type { Principal } from '../../access/principal.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { MOST_EVENT_BYTES } from '../../relay/realtime/open-session.ts';
import type { RealtimeSessions } from '../../relay/realtime/realtime-sessions.ts';
import type { Clock } from '../../shared/clock.ts';
import { makeOrderedId } from '../../shared/ids.ts';
import { loadWebSockets, type WebSocketServer } from '../../shared/runtime/websockets.ts';
import { logRequest } from '../../telemetry/request-line.ts';
import type { BaseAddresses } from '../base-addresses.ts';
import { wrongHead } from '../head-rules.ts';
import { asGatewayError, logAccident } from '../hooks/error-reply.ts';
import { answerOnSocket } from '../raw-answer.ts';
import { addressOf, type PublicDependencies, splitUrl } from '../serve-public.ts';
import { asksForSession, checkHandshake, readModel, SUBPROTOCOL, withSubprotocolKey } from './handshake.ts';

export interface RealtimeDependencies {
  public: PublicDependencies;
  sessions: RealtimeSessions;
  addresses: BaseAddresses;
  clock: Clock;
}

interface Arrived {
  request: IncomingMessage;
  socket: Duplex;
  head: Buffer;
  requestId: string;
  path: string;
  query: string;
  /** Of the answer. */
  headers: Map<string, string>;
}

const SWITCHED = 101;

/** Whether node:http hands a request over as an upgrade; all others stay what they are, whatever they ask to become. */
export function isUpgrade(addresses: BaseAddresses, request: IncomingMessage): boolean {
  const { url } = addresses.arrive(request.url ?? '/', request.headers.host);
  return asksForSession(request, splitUrl(url).path);
}

export function serveRealtime(server: Server, dependencies: RealtimeDependencies): void {
  const door = new Door(dependencies);
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => {}); // its close says the same
    const { url, legacy } = dependencies.addresses.arrive(request.url ?? '/', request.headers.host);
    const { path, query } = splitUrl(url);
    const requestId = makeOrderedId('req', dependencies.clock.now());
    const headers = new Map(Object.entries(legacy ? (dependencies.addresses.legacyHeaders(path) ?? {}) : {}));
    void door.serve({ request, socket, head, requestId, path, query, headers });
  });
}

class Door {
  readonly #dependencies: RealtimeDependencies;
  readonly #headers = new WeakMap<IncomingMessage, Arrived>();
  #opening: Promise<WebSocketServer> | undefined;

  constructor(dependencies: RealtimeDependencies) {
    this.#dependencies = dependencies;
  }

  async serve(arrived: Arrived): Promise<void> {
    const { admission, metrics, logger, earlyRefusals, refusals } = this.#dependencies.public;
    const { requestId, path, socket } = arrived;
    const startedAt = performance.now();
    let principal: Principal | undefined;
    let isAtWork = false;
    const log = (status: number): void =>
      logRequest(logger, {
        requestId,
        method: 'GET',
        path,
        status,
        ms: Math.round(performance.now() - startedAt),
        tokenId: principal?.tokenId,
        complete: true,
      });
    const rest = (): void => {
      if (isAtWork && principal !== undefined) admission.end(principal.tokenId);
      isAtWork = false;
    };
    try {
      admission.arrive();
      principal = await this.#admit(arrived);
      const slot = admission.begin(principal.tokenId);
      isAtWork = true;
      if (slot !== undefined) await slot;
      await this.#open(arrived, principal, startedAt, () => {
        log(SWITCHED);
        admission.leave();
      });
      rest();
    } catch (error) {
      const failure = asGatewayError(error);
      if (!isAtWork) metrics.refused(failure.code);
      rest();
      admission.leave();
      logAccident(logger, failure, requestId);
      earlyRefusals.note({ requestId, path, startedAt, principal, failure });
      if (failure.code === 'overloaded') await refusals.wait();
      answerOnSocket(socket, failure, requestId, Object.fromEntries(arrived.headers));
      log(failure.status);
    }
  }

  /** Whom it is for. Throws 400, 401, 403 or 503. */
  async #admit({ request }: Arrived): Promise<Principal> {
    if (this.#dependencies.public.draining())
      throw new GatewayError('overloaded', { message: 'The gateway is stopping. Retry.', retryAfter: 1 });
    const wrong = wrongHead(request);
    if (wrong !== undefined) throw wrong;
    checkHandshake(request);
    return this.#identify(request);
  }

  /** Asked again before each response: a token that was disabled meanwhile has no more of them. */
  async #identify(request: IncomingMessage): Promise<Principal> {
    const { authenticator, trustedProxies } = this.#dependencies.public;
    const { path, query } = splitUrl(request.url ?? '/');
    const headers = withSubprotocolKey(request.headers);
    const principal = await admitToken(authenticator, { path, query, headers }, 'compatible');
    const { origin } = request.headers;
    admitOrigin(principal, { origin, address: addressOf(request, trustedProxies) });
    return principal;
  }

  async #open(arrived: Arrived, principal: Principal, startedAt: number, onEnded: () => void): Promise<void> {
    const { sessions } = this.#dependencies;
    const { request, socket, head, requestId, headers } = arrived;
    const left = new AbortController();
    const leave = (): void => left.abort();
    socket.once('close', leave);
    const opened = await sessions.prepare({
      requestId,
      principal,
      model: readModel(arrived.query),
      startedAt,
      refresh: () => this.#identify(request),
      signal: left.signal,
      reply: {
        setHeader: (name, value) => void (value === undefined ? headers.delete(name) : headers.set(name, value)),
      },
    });
    socket.off('close', leave);
    const server = await (this.#opening ??= this.#makeServer());
    let hasBegun = false;
    this.#headers.set(request, arrived);
    server.handleUpgrade(request, socket, head, (client) => {
      hasBegun = true;
      sessions.begin(client, opened, onEnded);
    });
    if (hasBegun) return;
    await sessions.abandon(opened);
    throw new GatewayError('client_gone');
  }

  async #makeServer(): Promise<WebSocketServer> {
    const { WebSocketServer } = await loadWebSockets();
    const server = new WebSocketServer({
      noServer: true,
      perMessageDeflate: false, // what is small is not worth it, and what is large is compressed audio
      maxPayload: MOST_EVENT_BYTES,
      handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
    });
    server.on('headers', (lines, request) => {
      const arrived = this.#headers.get(request);
      if (arrived === undefined) return;
      lines.push(`x-request-id: ${arrived.requestId}`);
      for (const [name, value] of arrived.headers) lines.push(`${name}: ${value}`);
    });
    return server;
  }
}
