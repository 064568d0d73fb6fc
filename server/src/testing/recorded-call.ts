// For tests: calls that record their events, and an upstream that says exactly what it is given.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { Server as TlsServer } from 'node:tls';
import type { AnswerHeaders } from '../providers/http1/answer-head.ts';
import type { CallController, CallHandler } from '../providers/http1/exchange.ts';
import { ConnectionPool, type ConnectionPoolOptions } from '../providers/http1/connection-pool.ts';
import type { SmallRequest } from '../providers/http1/request-head.ts';

export class RecordedCall implements CallHandler {
  /** In order: start, a status, data, end, or the code of a failure. */
  readonly reported: (string | number)[] = [];
  readonly chunks: Buffer[] = [];
  readonly #over = Promise.withResolvers<void>();
  controller: CallController | undefined;
  headers: AnswerHeaders | undefined;
  error: Error | undefined;
  /** To do at a moment, after it is written down. */
  at: Partial<Record<'start' | 'head' | 'data' | 'end', (call: RecordedCall) => void>> = {};

  onRequestStart(controller: CallController): void {
    this.reported.push('start');
    this.controller = controller;
    this.at.start?.(this);
  }
  onResponseStart(_controller: CallController, status: number, headers: AnswerHeaders): void {
    this.reported.push(status);
    this.headers = headers;
    this.at.head?.(this);
  }
  onResponseData(_controller: CallController, chunk: Buffer): void {
    if (this.reported.at(-1) !== 'data') this.reported.push('data');
    this.chunks.push(chunk);
    this.at.data?.(this);
  }
  onResponseEnd(): void {
    this.reported.push('end');
    this.#over.resolve();
    this.at.end?.(this);
  }
  onResponseError(_controller: CallController | undefined, error: Error): void {
    this.reported.push((error as NodeJS.ErrnoException).code ?? error.message);
    this.error = error;
    this.#over.resolve();
  }
  get text(): string {
    return Buffer.concat(this.chunks).toString('latin1');
  }
  /** All its events, once it is over. */
  async outcome(): Promise<(string | number)[]> {
    await this.#over.promise;
    return this.reported;
  }
}

export interface RawUpstream {
  origin: string;
  sockets: Socket[];
  /** What each connection has received. */
  received: string[];
}

/** Answers what comes on each connection by a script; `onAsked` hears of every piece with a head's end in it. */
export async function serveRaw(
  t: TestContext,
  onAsked: (socket: Socket, asked: number) => void,
  server: Server = createServer({ noDelay: true }),
): Promise<RawUpstream> {
  const upstream: RawUpstream = { origin: '', sockets: [], received: [] };
  let asked = 0;
  server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
    const index = upstream.sockets.push(socket.on('error', () => {})) - 1;
    upstream.received[index] = '';
    socket.on('data', (piece) => {
      upstream.received[index] += piece.toString('latin1');
      if (piece.includes('\r\n\r\n')) onAsked(socket, asked++);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    for (const socket of upstream.sockets) socket.destroy();
    server.close();
  });
  const address = server.address() as AddressInfo | null;
  assert.ok(address !== null);
  upstream.origin = `http://127.0.0.1:${address.port}`;
  return upstream;
}

export const GET: SmallRequest = { method: 'GET', path: '/', headers: {}, body: null };
/** The events of a call that goes well. */
export const WELL = ['start', 200, 'data', 'end'];
export const whole = (body: string, more = ''): string =>
  `HTTP/1.1 200 OK\r\n${more}content-length: ${body.length}\r\n\r\n${body}`;

export function poolTo(t: TestContext, origin: string, more: Partial<ConnectionPoolOptions> = {}): ConnectionPool {
  const lines = new ConnectionPool(origin, { connectMs: 5_000, keepAliveMs: 4_000, ...more });
  t.after(() => lines.destroy());
  return lines;
}

export function send(
  lines: ConnectionPool,
  more: Partial<SmallRequest> = {},
  at: RecordedCall['at'] = {},
): RecordedCall {
  const call = new RecordedCall();
  call.at = at;
  lines.dispatch({ ...GET, ...more }, call);
  return call;
}

export const isClosed = (socket: Socket | undefined): boolean =>
  socket?.closed === true || socket?.readableEnded === true;
