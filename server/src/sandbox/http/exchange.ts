// One call on the wire: request, response, its record and a signal that fires when the client has gone.
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { setImmediate as nextTick, setTimeout as pause } from 'node:timers/promises';
import type { Head } from './head.ts';
import type { SandboxRecord } from '../records.ts';

export type Exchange = {
  request: IncomingMessage;
  response: ServerResponse;
  record: SandboxRecord;
  /** Every wait hangs on it, so that no timer outlives the connection. */
  signal: AbortSignal;
  now: () => number;
};

export function openExchange(parts: Omit<Exchange, 'signal'>): Exchange {
  const { response, record, now } = parts;
  const gone = new AbortController();
  const exchange = { ...parts, signal: gone.signal };
  // Writing to a connection that the client has just closed raises an error; 'close' below already tells the story.
  response.on('error', () => {});
  response.once('finish', () => markFinished(exchange));
  response.once('close', () => {
    if (!record.finished) {
      record.aborted = true;
      record.abortedAt = now();
    }
    gone.abort();
  });
  return exchange;
}

export function makeRequestId({ record }: Pick<Exchange, 'record'>): string {
  return `req_sandbox_${record.id}`;
}

export function readHead({ url = '/', headers }: IncomingMessage): Head {
  const [path = '/', ...query] = url.split('?');
  return { path, query: new URLSearchParams(query.join('?')), headers };
}

function markFinished({ record, now }: Exchange): void {
  if (record.finished) return;
  record.finished = true;
  record.finishedAt = now();
}

export function sendHead(exchange: Exchange, status: number, headers: OutgoingHttpHeaders): void {
  exchange.signal.throwIfAborted();
  exchange.record.status = status;
  exchange.response.writeHead(status, { 'x-request-id': makeRequestId(exchange), ...headers });
  exchange.response.flushHeaders();
}

export async function waitFor({ signal }: Exchange, milliseconds: number | undefined): Promise<void> {
  if (milliseconds !== undefined && milliseconds > 0) await pause(milliseconds, undefined, { signal });
}

/** Lets the event loop turn, so that a departure is noticed between two writes. */
export async function yieldTurn({ signal }: Exchange): Promise<void> {
  await nextTick();
  signal.throwIfAborted();
}

/** Closes the connection in the middle of an answer, after what was written has left. */
export function cutConnection(exchange: Exchange): void {
  markFinished(exchange);
  exchange.request.socket.destroySoon();
}

/** Ends the connection with RST, as a crashed server does. */
export function resetConnection(exchange: Exchange): void {
  markFinished(exchange);
  exchange.request.socket.resetAndDestroy();
}
