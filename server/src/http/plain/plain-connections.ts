// Connections on which plain requests come (plain-head.ts). Each is read here until something else than a plain request
// arrives on it, or the rest of one is late: then node:http has the connection, with all bytes that were not served.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { unsentBytes } from '../../shared/runtime/unsent-bytes.ts';
import type { PublicService } from '../public-exchange.ts';
import { NodeConnections } from './node-connections.ts';
import { HeadReader, MOST_HEAD, type PlainHead } from './plain-head.ts';
import type { PlainRequest } from './plain-request.ts';
import { PlainResponse } from './plain-response.ts';
import { readIntoBuffer } from '../../shared/runtime/read-into-buffer.ts';

export interface PlainConnectionsDependencies {
  /** False: it was answered, and is not to be heard. A function is called when the connection has ended. */
  mayConnect?(accepted: Socket): boolean | (() => void);
  /** Who serves a request with this head; undefined where nobody does here. */
  find(head: PlainHead): PublicService | undefined;
  serve(request: PlainRequest, response: PlainResponse, service: PublicService): void;
  keepAliveMs: number;
  /** Larger ones are for node:http. */
  mostBodyBytes: number;
}

/** Longer than this nothing that is not whole waits here. */
const TIMEOUT_MS = 1_000;
const LOOK_MS = 1_000;
const UNREAD_MS = 60_000;
const UNSEEN = { bytes: -1, since: 0 };
/** For a request that is on its way while its connection becomes too old. */
const MARGIN_MS = 1_000;
/** So much of what a client sends ahead of its answer is kept. */
const MOST_AHEAD = 64 * 1024;
const END_OF_HEAD = Buffer.from('\r\n\r\n');

/** Puts itself before the present listeners for the server's connections. */
export function takePlainConnections(server: Server, dependencies: PlainConnectionsDependencies): void {
  const accept = server.listeners('connection') as ((this: Server, socket: Socket) => void)[];
  const connections = new Set<PlainConnection>();
  const given = new NodeConnections(server);
  const shared: Shared = {
    ...dependencies,
    keepAlive: `connection: keep-alive\r\nkeep-alive: timeout=${Math.floor(dependencies.keepAliveMs / 1000)}\r\n`,
    connections,
    giveUp(socket) {
      given.add(socket);
      for (const listener of accept) listener.call(server, socket);
    },
    refuse(socket) {
      const error = Object.assign(new Error('the request is not whole'), { code: 'HPE_INVALID_EOF_STATE' });
      server.emit('clientError', error, socket);
    },
  };
  server.removeAllListeners('connection');
  server.on('connection', (accepted) => {
    const may = dependencies.mayConnect?.(accepted);
    if (may === false) return;
    const onEnded = typeof may === 'function' ? may : undefined;
    connections.add(new PlainConnection(accepted, { server, shared, onEnded }));
  });

  server.on('upgrade', (_request, socket) => given.remove(socket as Socket));

  const timer = setInterval(() => {
    const now = performance.now();
    for (const connection of connections) connection.look(now);
  }, LOOK_MS);
  timer.unref();
  server.once('close', () => clearInterval(timer));

  const { closeIdleConnections, closeAllConnections } = server;
  const closeIdleNow = (): void => {
    const now = performance.now();
    for (const connection of connections) connection.closeIfIdle(now);
    given.closeIfIdle(now);
    closeIdleConnections.call(server);
  };
  // Not before the sockets were looked at once more: what has arrived is a request, also where nobody has read it yet.
  server.closeIdleConnections = function closeIdle() {
    setImmediate(closeIdleNow);
  };
  server.closeAllConnections = function closeAll() {
    for (const connection of connections) connection.close();
    closeAllConnections.call(server);
  };
}

interface Shared extends PlainConnectionsDependencies {
  keepAlive: string;
  connections: Set<PlainConnection>;
  /** To node:http. */
  giveUp(socket: Socket): void;
  /** What a client sent ends in its middle. */
  refuse(socket: Socket): void;
}

interface ConnectionFacts {
  server: Server;
  shared: Shared;
  onEnded: (() => void) | undefined;
}

interface Awaited {
  head: PlainHead;
  service: PublicService;
  bodyStart: number;
}

class PlainConnection {
  readonly #socket: Socket;
  readonly #shared: Shared;
  readonly #heads = new HeadReader();
  /** What came and was not served: part of a request, or what was sent ahead of an answer. */
  #unserved: Buffer | undefined;
  /** The head in `#unserved`, where only its body is not whole. */
  #awaited: Awaited | undefined;
  #response: PlainResponse | undefined;
  #hasServed = false;
  /** Since when nobody is served, or the rest of a body is awaited. */
  #since = performance.now();
  /** What of an answer waits for the client, and since when it has not become less. */
  #unread = UNSEEN;
  /** Whom what comes now is for. */
  #reader: 'us' | 'node' | 'nobody' = 'us';

  constructor(accepted: Socket, { server, shared, onEnded }: ConnectionFacts) {
    this.#shared = shared;
    const socket = readIntoBuffer(accepted, server, (piece) => this.#onPiece(piece));
    this.#socket = socket;
    // The socket that was accepted has no connection any more, and hears of no end.
    if (onEnded !== undefined) socket.once('close', onEnded);
    socket.on('end', this.#onEnd);
    socket.on('error', this.#onError);
    socket.on('close', this.#onClose);
  }

  /** Now and then. */
  look(now: number): void {
    if (this.#response !== undefined) return this.#watchUnread(this.#response, now);
    const waited = now - this.#since;
    if (!this.#hasServed || this.#unserved !== undefined) {
      if (waited > TIMEOUT_MS) this.#giveUp();
    } else if (waited > this.#shared.keepAliveMs + MARGIN_MS) this.close();
    else if (waited > TIMEOUT_MS) this.#heads.forget();
  }

  /** An answer that is written whole, and that the client does not read, stays open no longer than a stream would. */
  #watchUnread({ writableEnded }: PlainResponse, now: number): void {
    const left = unsentBytes(this.#socket);
    if (!writableEnded || left !== this.#unread.bytes) this.#unread = { bytes: left, since: now };
    else if (now - this.#unread.since > UNREAD_MS) this.close();
  }

  closeIfIdle(now: number): void {
    if (this.#response !== undefined || this.#unserved !== undefined) return;
    // The first request of a new connection may be on its way.
    if (this.#hasServed || now - this.#since > TIMEOUT_MS) this.close();
  }

  close(): void {
    this.#socket.destroy();
  }

  #onPiece(piece: Buffer): boolean {
    if (this.#reader === 'node') return this.#socket.push(piece);
    if (this.#reader === 'nobody') return true;
    this.#unserved = this.#unserved === undefined ? piece : Buffer.concat([this.#unserved, piece]);
    if (this.#response === undefined) this.#read();
    else if (this.#unserved.length > MOST_AHEAD) this.#socket.pause();
    return true;
  }

  #read(): void {
    const bytes = this.#unserved;
    if (bytes === undefined) return;
    const awaited = this.#awaited ?? this.#readHead(bytes);
    if (awaited === undefined) return this.#giveUp();
    const { head, service, bodyStart } = awaited;
    const end = bodyStart + head.bodyBytes;
    if (bytes.length < end) {
      if (this.#awaited === undefined) this.#since = performance.now();
      this.#awaited = awaited;
      return;
    }
    this.#awaited = undefined;
    this.#unserved = bytes.length === end ? undefined : bytes.subarray(end);
    this.#hasServed = true;
    const socket = this.#socket;
    const response = new PlainResponse({ socket, keepAlive: this.#shared.keepAlive, onDone: this.#onDone });
    this.#response = response;
    const body = bytes.subarray(bodyStart, end);
    const request = { method: 'POST', url: head.url, headers: head.headers, socket, complete: true as const, body };
    this.#shared.serve(request, response, service);
  }

  #readHead(bytes: Buffer): Awaited | undefined {
    const end = bytes.indexOf(END_OF_HEAD);
    if (end === -1 || end > MOST_HEAD) return undefined;
    const head = this.#heads.read(bytes.toString('latin1', 0, end + 2));
    if (head === undefined || head.bodyBytes > this.#shared.mostBodyBytes) return undefined;
    const service = this.#shared.find(head);
    return service && { head, service, bodyStart: end + END_OF_HEAD.length };
  }

  readonly #onDone = ({ isLast }: PlainResponse): void => {
    this.#response = undefined;
    this.#unread = UNSEEN;
    this.#since = performance.now();
    if (isLast) return this.#leave();
    if (this.#unserved !== undefined) process.nextTick(this.#readOn);
  };

  /** What was sent ahead. Not before all that follows from the last answer is done: its queue slot, among others, is free then. */
  readonly #readOn = (): void => {
    if (this.#socket.destroyed) return;
    this.#socket.resume();
    this.#read();
  };

  /** Nothing is served behind the last answer, whatever still comes. */
  #leave(): void {
    this.#unserved = undefined;
    this.#reader = 'nobody';
    this.#socket.resume();
    this.#socket.destroySoon();
  }

  #giveUp(): void {
    const socket = this.#socket;
    socket.off('end', this.#onEnd).off('error', this.#onError).off('close', this.#onClose);
    this.#reader = 'node';
    this.#shared.connections.delete(this);
    if (socket.destroyed) return;
    if (socket.readableEnded) return void socket.destroy();
    socket.pause();
    if (this.#unserved !== undefined) socket.unshift(this.#unserved);
    this.#shared.giveUp(socket);
    socket.resume();
  }

  /** A client that will say no more has left, or leaves half of a request behind: the same rules as node:http's. */
  readonly #onEnd = (): void => {
    if (this.#awaited === undefined) this.#socket.end();
    else this.#shared.refuse(this.#socket);
  };

  /** What is wrong with a connection is reported by its end. */
  readonly #onError = (): void => {};

  readonly #onClose = (): void => {
    this.#shared.connections.delete(this);
    this.#response?.lose();
    this.#response = undefined;
  };
}
