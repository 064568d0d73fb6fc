// Opens a WebSocket to an upstream: the request is built and signed as every other, through the same proxies, and a refusal is
// read as one of any call. No redirect is followed and nothing is compressed.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { buildConnector } from '../shared/runtime/undici.ts';
import { loadWebSockets, type WebSocket } from '../shared/runtime/websockets.ts';
import type { SecretMask } from '../shared/secret-mask.ts';
import type { UpstreamComplaint } from '../protocols/protocol.ts';
import type { ChooseProxy } from './egress/proxies.ts';
import { tunnelThrough } from './egress/tunnel.ts';
import { refusalError, type RefusalRule } from './refusals.ts';
import { classOfFailure, readRetryAfter, UpstreamError } from './upstream-error.ts';
import type { UpstreamRequest } from './upstream-request.ts';

export interface SocketOptions {
  chooseProxy: ChooseProxy;
  maxPayload: number;
  /** Ends the attempt when it fires. */
  signal: AbortSignal;
  readComplaint(body: Buffer): UpstreamComplaint;
  refusals?: readonly RefusalRule[] | undefined;
}

const MOST_ERROR_BYTES = 64 * 1024;

export interface OpenSocket {
  socket: WebSocket;
  /** What must not be seen in what comes. */
  mask: SecretMask | undefined;
}

/** Resolves when it is open, paused: nothing is lost before somebody listens. Rejects with an UpstreamError. */
export async function openSocket(request: UpstreamRequest, options: SocketOptions): Promise<OpenSocket> {
  try {
    return { socket: await connect(request, options), mask: request.mask };
  } catch (error) {
    const isRefused = error instanceof UpstreamError && error.facts.status === 401;
    const renewed = isRefused ? request.renew?.() : undefined;
    if (renewed === undefined) throw error;
    const again = await renewed;
    return { socket: await connect(again, options), mask: again.mask };
  }
}

async function connect(request: UpstreamRequest, options: SocketOptions): Promise<WebSocket> {
  const { WebSocket } = await loadWebSockets();
  const { origin, path, headers, limits, mask } = request;
  if (options.signal.aborted) throw new UpstreamError('aborted', 'aborted before the connection was ready');
  return new Promise((resolve, reject) => {
    const proxy = options.chooseProxy(origin, request.proxy);
    const socket = new WebSocket(`ws${origin.slice('http'.length)}${path}`, {
      headers: { ...headers, 'user-agent': headers['user-agent'] ?? 'tollgate' },
      perMessageDeflate: false,
      followRedirects: false,
      skipUTF8Validation: true, // what is passed on is checked by its reader
      maxPayload: options.maxPayload,
      createConnection: connectorOf(origin, proxy, limits.connectMs),
    });
    const abort = (): void => fail(new UpstreamError('aborted', 'the client left'));
    const late = new UpstreamError('timed-out', 'no answer within the time limit');
    // The library's own limit is not heeded where it does not make the connection itself.
    const timer = setTimeout(() => fail(late), limits.connectMs + limits.firstByteMs);
    const settled = (): void => {
      clearTimeout(timer);
      options.signal.removeEventListener('abort', abort);
    };
    const fail = (error: UpstreamError): void => {
      settled();
      reject(error);
      socket.on('error', () => {});
      socket.terminate();
    };
    options.signal.addEventListener('abort', abort);
    socket.once('open', () => {
      settled();
      socket.pause();
      resolve(socket);
    });
    socket.on('error', (error) => fail(failureOf(error)));
    socket.on('unexpected-response', (_sent, response) => {
      readBody(response).then(
        (body) => {
          mask?.hide(body);
          fail(refusalOf(response, body, options));
        },
        (error: Error) => fail(failureOf(error)),
      );
    });
  });
}

type Done = (error: Error | null, socket?: Socket) => void;

/** As for every call: the time to connect, and a tunnel where there is a proxy. */
function connectorOf(origin: string, proxy: string | undefined, connectMs: number) {
  const { protocol, hostname, host, port } = new URL(origin);
  const connector =
    proxy === undefined ? buildConnector({ timeout: connectMs, allowH2: false }) : tunnelThrough(proxy, { connectMs });
  return (_options: unknown, done: Done): undefined => {
    connector({ protocol, hostname, host, port, servername: hostname }, (...[error, socket]) => {
      if (error === null) done(null, socket);
      else done(error);
    });
  };
}

async function readBody(response: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > MOST_ERROR_BYTES) break;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function refusalOf(response: IncomingMessage, body: Buffer, options: SocketOptions): UpstreamError {
  const { statusCode = 0, headers } = response;
  const complaint = options.readComplaint(body);
  const { status = statusCode } = complaint;
  const retryAfter = readRetryAfter(headers['retry-after'], Date.now());
  const text = `the upstream answered ${statusCode}`;
  return refusalError(text, { ...complaint, status }, { rules: options.refusals, retryAfter });
}

function failureOf(error: Error & { code?: string }): UpstreamError {
  return new UpstreamError(
    classOfFailure(error.code, error.name),
    `the connection failed (${error.code ?? error.name})`,
    { cause: error },
  );
}
