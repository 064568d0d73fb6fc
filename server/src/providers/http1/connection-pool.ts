// The connections to one origin: a request takes the one that was used last and is free, or a new one. None is used again
// longer than the other side is known to keep it.
import { buildConnector, errors } from '../../shared/runtime/undici.ts';
import type { AnswerHead, AnswerHeaders } from './answer-head.ts';
import { type CallHandler, Exchange } from './exchange.ts';
import { Connection, type ConnectionOwner, connectionReads } from './connection.ts';
import { type SmallRequest, writeHead } from './request-head.ts';

export interface ConnectionPoolOptions {
  connectMs: number;
  /** How long a free connection is kept, where the other side does not say how long it will be. */
  keepAliveMs: number;
  /** For connections with TLS. */
  tls?: Parameters<typeof buildConnector>[0];
}

/** What the other side says is taken with a margin, for what is under way while it closes. */
const MARGIN_MS = 2_000;
const LONGEST_KEPT_MS = 600_000;
const SWEEP_MS = 1_000;
const TIMEOUT = /(?:^|,)[\t ]*timeout=(\d+)/i;

export class ConnectionPool implements ConnectionOwner {
  readonly #connect: ReturnType<typeof buildConnector>;
  readonly #address: Parameters<ReturnType<typeof buildConnector>>[0];
  readonly #keepAliveMs: number;
  readonly #all = new Set<Connection>();
  /** Used last, taken first. */
  #free: Connection[] = [];
  #waiting: Exchange[] = [];
  readonly #connecting = new Set<Exchange>();
  #sweeper: NodeJS.Timeout | undefined;
  #isDestroyed = false;

  constructor(origin: string, { connectMs, keepAliveMs, tls }: ConnectionPoolOptions) {
    const { host, hostname, protocol, port } = new URL(origin);
    this.#connect = buildConnector({ ...tls, timeout: connectMs, onread: connectionReads, allowH2: false });
    this.#address = { host, hostname: hostname.replace(/^\[|\]$/g, ''), protocol, port };
    this.#keepAliveMs = keepAliveMs;
  }

  /**
   * Throws where the request cannot be written. A free connection is taken only after this round of the event loop: what has come
   * on it meanwhile (its end, bytes that nobody asked for) must be known before it is trusted.
   */
  dispatch(request: SmallRequest, handler: CallHandler): void {
    if (this.#isDestroyed) throw new errors.ClientDestroyedError();
    const exchange = new Exchange(writeHead(request, this.#address.host as string), request.body, handler);
    if (this.#waiting.length >= this.#free.length) {
      this.#open(exchange);
      return;
    }
    this.#waiting.push(exchange);
    if (this.#waiting.length === 1) setImmediate(this.#serve);
  }

  /** Free connections are closed, requests under way fail. */
  async destroy(): Promise<void> {
    this.#isDestroyed = true;
    clearTimeout(this.#sweeper);
    const error = new errors.ClientDestroyedError();
    for (const exchange of [...this.#waiting, ...this.#connecting]) exchange.abort(error);
    await Promise.all([...this.#all].map((connection) => connection.destroy(error)));
  }

  onFree(connection: Connection, { headers }: AnswerHead): void {
    const keptMs = keptMsOf(headers) ?? this.#keepAliveMs;
    if (keptMs <= 0 || this.#isDestroyed) {
      connection.drop();
      return;
    }
    connection.freshUntil = performance.now() + keptMs;
    this.#keep(connection);
  }

  onClosed(connection: Connection): void {
    this.#all.delete(connection);
    const index = this.#free.indexOf(connection);
    if (index !== -1) this.#free.splice(index, 1);
  }

  readonly #serve = (): void => {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const exchange of waiting) {
      if (exchange.isOver) continue;
      const connection = this.#take();
      if (connection === undefined) this.#open(exchange);
      else this.#begin(exchange, connection);
    }
  };

  #begin(exchange: Exchange, connection: Connection): void {
    if (exchange.start()) connection.send(exchange);
    else this.#keep(connection);
  }

  #take(): Connection | undefined {
    const now = performance.now();
    for (;;) {
      const connection = this.#free.pop();
      if (connection === undefined || (connection.isOpen && connection.freshUntil > now)) return connection;
      connection.drop();
    }
  }

  #open(exchange: Exchange): void {
    this.#connecting.add(exchange);
    this.#connect(this.#address, (error, socket) => {
      this.#connecting.delete(exchange);
      if (error !== null) {
        exchange.abort(error);
        return;
      }
      if (this.#isDestroyed) {
        socket.on('error', () => {}).destroy();
        return;
      }
      const connection = new Connection(socket, this);
      connection.freshUntil = performance.now() + this.#keepAliveMs;
      this.#all.add(connection);
      this.#begin(exchange, connection);
    });
  }

  #keep(connection: Connection): void {
    connection.rest();
    this.#free.push(connection);
    this.#sweeper ??= setTimeout(this.#sweep, SWEEP_MS).unref();
  }

  /** One timer for all connections instead of one for each, which would be moved with every call. */
  readonly #sweep = (): void => {
    const now = performance.now();
    this.#sweeper = undefined;
    this.#free = this.#free.filter((connection) => {
      if (connection.freshUntil > now) return true;
      connection.drop();
      return false;
    });
    if (this.#free.length > 0) this.#sweeper = setTimeout(this.#sweep, SWEEP_MS).unref();
  };
}

/** What the other side says of how long it keeps the connection, in time that is left for us. */
function keptMsOf(headers: AnswerHeaders): number | undefined {
  const reported = headers['keep-alive'];
  const seconds = reported === undefined ? undefined : TIMEOUT.exec(String(reported))?.[1];
  if (seconds === undefined) return undefined;
  return Math.min(Number(seconds) * 1_000 - MARGIN_MS, LONGEST_KEPT_MS);
}
