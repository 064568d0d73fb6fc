// One HTTP call to an upstream, the only outgoing client: small requests go over connections of our own, the others by undici. It
// follows no redirect, asks for no compression, keeps its own time limits, and hands bytes to a sink that may ask it to pause.
import type { Readable } from 'node:stream';
import { COUNTED_FROM } from '../shared/runtime/counted-bytes.ts';
import { type ChooseProxy, noProxies } from './egress/proxies.ts';
import { tunnelThrough } from './egress/tunnel.ts';
import type { CallController, CallHandler } from './http1/exchange.ts';
import { ConnectionPool } from './http1/connection-pool.ts';
import { CountedPieces } from '../shared/runtime/counted-pieces.ts';
import { FirstTry, sendRenewed } from './first-try.ts';
import { MaskingSink } from './masking-sink.ts';
import { type OpenSocket, openSocket, type SocketOptions } from './open-socket.ts';
import { quickReads } from '../shared/runtime/quick-reads.ts';
import { type Dispatcher, Pool } from '../shared/runtime/undici.ts';
import { classOfFailure, classOfStatus, UpstreamError } from './upstream-error.ts';
import type { UpstreamRequest, CallLimits, UpstreamHeaders, UpstreamSink } from './upstream-request.ts';

const KEEP_ALIVE_MS = 4_000;

export class UpstreamClient {
  readonly #smallPools = new Map<string, ConnectionPool>();
  readonly #pools = new Map<string, Pool>();
  readonly #chooseProxy: ChooseProxy;

  constructor({ chooseProxy = noProxies }: { chooseProxy?: ChooseProxy } = {}) {
    this.#chooseProxy = chooseProxy;
  }

  call(request: UpstreamRequest, sink: UpstreamSink): UpstreamCall {
    const call = new UpstreamCall(masked(sink, request), request.limits);
    const { renew } = request;
    const send = (renewed: UpstreamRequest): void => {
      if (call.isOver) return;
      call.sink = masked(sink, renewed);
      this.#dispatch(renewed, call);
    };
    this.#dispatch(request, renew === undefined ? call : new FirstTry(call, () => sendRenewed(renew(), send, call)));
    return call;
  }

  /** A WebSocket instead of an answer, through the same proxies. Rejects with an UpstreamError. */
  openSocket(request: UpstreamRequest, options: Omit<SocketOptions, 'chooseProxy'>): Promise<OpenSocket> {
    return openSocket(request, { ...options, chooseProxy: this.#chooseProxy });
  }

  #dispatch(request: UpstreamRequest, call: CallHandler): void {
    const { body, path, method, headers } = request;
    try {
      const proxy = this.#chooseProxy(request.origin, request.proxy);
      if (proxy !== undefined) this.#poolTo(request, proxy).dispatch(wholeOf(request), call);
      else if (body === null || (Buffer.isBuffer(body) && body.buffer.byteLength < COUNTED_FROM))
        this.#smallPoolTo(request).dispatch({ path, method, headers, body }, call);
      else this.#poolTo(request).dispatch(wholeOf(request), call);
    } catch (error) {
      call.onResponseError(undefined, error as Error);
    }
  }

  async close(): Promise<void> {
    const pools = [...this.#smallPools.values(), ...this.#pools.values()];
    this.#smallPools.clear();
    this.#pools.clear();
    await Promise.all(pools.map((pool) => pool.destroy()));
  }

  #smallPoolTo({ origin, limits: { connectMs } }: UpstreamRequest): ConnectionPool {
    const name = `${origin} ${connectMs}`;
    let pool = this.#smallPools.get(name);
    if (pool === undefined) {
      pool = new ConnectionPool(origin, { connectMs, keepAliveMs: KEEP_ALIVE_MS });
      this.#smallPools.set(name, pool);
    }
    return pool;
  }

  #poolTo({ origin, limits: { connectMs } }: UpstreamRequest, proxy?: string): Pool {
    const name = `${origin} ${connectMs} ${proxy ?? ''}`;
    let pool = this.#pools.get(name);
    if (pool === undefined) {
      pool = new Pool(origin, {
        connect: proxy === undefined ? { timeout: connectMs, onread: quickReads } : tunnelThrough(proxy, { connectMs }),
        keepAliveTimeout: KEEP_ALIVE_MS,
        pipelining: 1,
        allowH2: false, // counted-pieces.ts knows when a socket releases its buffers in HTTP/1.1 only
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      this.#pools.set(name, pool);
    }
    return pool;
  }
}

function masked(sink: UpstreamSink, { mask }: UpstreamRequest): UpstreamSink {
  return mask === undefined ? sink : new MaskingSink(sink, mask);
}

function wholeOf({ path, method, headers, body }: UpstreamRequest): Dispatcher.DispatchOptions {
  if (body === null) return { path, method, headers };
  return {
    path,
    method,
    headers: { ...headers, 'content-length': String(body.length) },
    body: openBody(Buffer.isBuffer(body) ? [body] : body.open()),
  };
}

/** The library takes what can be walked too, which its types do not tell. */
function openBody(opened: AsyncIterable<Buffer> | readonly Buffer[]): Readable {
  return (Symbol.asyncIterator in opened ? opened : new CountedPieces(opened)) as unknown as Readable;
}

/** A call under way. Its methods named `on...` are for those who carry it only: our lines, or the client library. */
export class UpstreamCall implements CallHandler, Dispatcher.DispatchHandler {
  sink: UpstreamSink;
  readonly #idleMs: number;
  #controller: CallController | undefined;
  /** When the upstream will have been silent for too long. */
  #due: number;
  #timer: NodeJS.Timeout | undefined;
  #over = false;
  #isSent = false;
  #refused = false;
  /** Bytes of the answer that are still to come, where it reported its length. */
  #left = Number.NaN;

  constructor(sink: UpstreamSink, limits: CallLimits) {
    this.sink = sink;
    this.#idleMs = limits.idleMs;
    this.#due = performance.now() + limits.firstByteMs;
    this.#watch(limits.firstByteMs);
  }

  /** The request has begun to leave, and was not answered with an error: an upstream may be at work on it. */
  get isSent(): boolean {
    return this.#isSent && !this.#refused;
  }

  get isOver(): boolean {
    return this.#over;
  }

  /** Ends the call; the sink hears of it with the given error. Does nothing after the end. */
  abort(error: UpstreamError): void {
    if (this.#over) return;
    this.#fail(error);
    this.#controller?.abort(error);
  }

  pause(): void {
    // After the last byte there is nothing to hold back but word of the end, which an upstream that hangs up would spoil.
    if (this.#over || this.#left === 0) return;
    this.#controller?.pause();
    clearTimeout(this.#timer); // a client that reads slowly is not an upstream that is silent
  }

  resume(): void {
    if (this.#over) return;
    this.#heard();
    this.#watch(this.#idleMs);
    this.#controller?.resume();
  }

  onRequestStart(controller: CallController): void {
    this.#controller = controller;
    this.#isSent = !this.#over;
    if (this.#over) controller.abort(new Error('aborted before the connection was ready'));
  }

  onResponseStart(controller: CallController, status: number, headers: UpstreamHeaders): void {
    // Parts of the first piece, which would keep its memory as long as the call lasts.
    if ('rawHeaders' in controller) controller.rawHeaders = null;
    if (this.#over) return;
    // Nobody asked to change the protocol: what follows is no answer, and may never come.
    if (status === 101)
      return this.abort(new UpstreamError('malformed', 'the upstream wants another protocol', { status }));
    if (status < 200) return;
    this.#heard();
    this.#refused = classOfStatus(status) !== undefined;
    this.#left = Number(headers['content-length'] ?? Number.NaN);
    this.sink.onStart(status, headers);
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    if (this.#over) return;
    this.#heard();
    this.#left -= chunk.length;
    this.sink.onData(chunk);
  }

  onResponseEnd(): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#timer);
    try {
      this.sink.onEnd();
    } catch (cause) {
      // Nobody else would tell the one who waits.
      this.sink.onFail(new UpstreamError('malformed', 'the end of the answer cannot be read', { cause }));
    }
  }

  onResponseError(_controller: unknown, error: Error): void {
    const code = (error as NodeJS.ErrnoException).code;
    this.#fail(
      new UpstreamError(classOfFailure(code, error.name), `the connection failed (${code ?? error.name})`, {
        cause: error,
      }),
    );
  }

  #heard(): void {
    this.#due = performance.now() + this.#idleMs;
  }

  #watch(ms: number): void {
    this.#timer = setTimeout(this.#look, Math.min(ms, this.#idleMs));
  }

  /** One timer that looks now and then instead of one that is moved with every chunk; never later than the due time. */
  readonly #look = (): void => {
    const left = this.#due - performance.now();
    if (left > 0) this.#timer = setTimeout(this.#look, Math.min(left, this.#idleMs));
    else this.abort(new UpstreamError('timed-out', 'no answer within the time limit'));
  };

  #fail(error: UpstreamError): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#timer);
    this.sink.onFail(error);
  }
}
