// The log line of each public request, written by hand: it is the one line on the way of every request, and a general
// logger takes several times as long to put it together.
import { type DestinationStream, symbols } from 'pino';
import type { Logger } from './logger.ts';

export interface RequestLine {
  requestId: string;
  method: string;
  path: string;
  status: number;
  ms: number;
  tokenId: string | undefined;
  /** The whole answer was taken by the client's side. */
  complete: boolean;
  /** As far as the request got to one: the model asked for, the channel that was asked last, and why it failed. */
  model?: string | undefined;
  channel?: string | undefined;
  error?: string | undefined;
  reason?: string | undefined;
}

export function logRequest(logger: Logger, line: RequestLine): void {
  if (!logger.isLevelEnabled('info')) return;
  const { requestId, method, path, status, ms, tokenId, complete, model, channel, error, reason } = line;
  const token = tokenId === undefined ? '' : `,"token_id":"${tokenId}"`;
  const stream = (logger as unknown as Record<symbol, DestinationStream>)[symbols.streamSym];
  stream?.write(
    `{"level":"info","time":"${isoTime(Date.now())}","request_id":"${requestId}","method":"${method}","path":${JSON.stringify(path)},"status":${status},"ms":${ms}${token}${named('model', model)}${named('channel', channel)}${named('error', error)}${named('reason', reason)},"complete":${complete}}\n`,
  );
}

function named(name: string, value: string | undefined): string {
  return value === undefined ? '' : `,"${name}":${JSON.stringify(value)}`;
}

let knownSecond = Number.NaN;
let secondText = '';

/** The same as a Date's, which takes longer. */
function isoTime(now: number): string {
  const second = Math.floor(now / 1000);
  if (second !== knownSecond) {
    knownSecond = second;
    secondText = new Date(second * 1000).toISOString().slice(0, -'000Z'.length);
  }
  return `${secondText}${String(now - second * 1000).padStart(3, '0')}Z`;
}
