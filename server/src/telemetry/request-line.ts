// The log line of each public request, and what became of it until then. Written by hand: it is the one line on the way of every request, and a general
// logger takes several times as long to put it together.
import { type DestinationStream, symbols } from 'pino';
import type { Logger } from './logger.ts';
import type { CountedRequest } from './counted-events.ts';

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

/** A line of the request log, as far as a log line names it. */
export interface RequestOutcome extends CountedRequest {
  id: string;
  /** Why the gateway itself refused it. */
  reason?: string | null | undefined;
}

export interface NamedOutcome {
  model?: string;
  /** The channel's name. */
  channel?: string;
  error?: string;
  reason?: string;
}

/** What became of the public requests that are under way: kept until each is over, for its line on standard output. */
export class RequestOutcomes {
  readonly #open = new Map<string, RequestOutcome | undefined>();
  readonly #channelName: (id: string) => string;

  constructor(channelName: (id: string) => string) {
    this.#channelName = channelName;
  }

  /** From here on its line is waited for, until it is taken. */
  open(requestId: string): void {
    this.#open.set(requestId, undefined);
  }

  /** Lines that nobody waits for, such as those of batches, are not kept. */
  ended(row: RequestOutcome): void {
    if (this.#open.has(row.id)) this.#open.set(row.id, row);
  }

  take(requestId: string): NamedOutcome | undefined {
    const row = this.#open.get(requestId);
    this.#open.delete(requestId);
    if (row === undefined) return undefined;
    const named: NamedOutcome = {};
    if (row.model !== null) named.model = row.model;
    if (row.channel_id !== null) named.channel = this.#channelName(row.channel_id);
    if (row.error_code === null) return named;
    named.error = row.error_code;
    const reason = row.reason ?? lastFailure(row.attempts);
    if (reason !== undefined) named.reason = reason;
    return named;
  }
}

/** How the last attempt at an upstream failed: timed-out, unreachable, limited and the like. */
function lastFailure(attempts: string): string | undefined {
  const last = (JSON.parse(attempts) as { error: string | null }[]).at(-1);
  return last?.error ?? undefined;
}
