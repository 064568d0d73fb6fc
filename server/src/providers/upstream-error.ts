// A call to an upstream that did not give what was asked for. Decisions are made on the class, never on the text.
import type { FailureClass } from '../errors/failure-class.ts';

export interface UpstreamErrorFacts {
  status?: number;
  /** Seconds the upstream asks us to wait. */
  retryAfter?: number;
  /** The upstream's own words, for a refused request only; cleared of addresses and keys before anybody sees them. */
  upstreamMessage?: string;
  upstreamCode?: string;
  upstreamParam?: string;
  /** Whom a refusal is about, where its body says so. */
  about?: 'request' | 'model' | 'key' | undefined;
  /** It failed before anything was sent. */
  notSent?: true;
  cause?: unknown;
}

export class UpstreamError extends Error {
  readonly errorClass: FailureClass;
  readonly facts: UpstreamErrorFacts;

  constructor(errorClass: FailureClass, message: string, facts: UpstreamErrorFacts = {}) {
    super(message, facts.cause === undefined ? {} : { cause: facts.cause });
    this.name = 'UpstreamError';
    this.errorClass = errorClass;
    this.facts = facts;
  }
}

/** The same failure, of a request that never left. */
export function unsent({ errorClass, message, facts }: UpstreamError): UpstreamError {
  return new UpstreamError(errorClass, message, { ...facts, notSent: true });
}

const REFUSED = new Set([400, 404, 405, 406, 409, 410, 411, 413, 415, 422, 424, 451]);

/** The class of an answer by its status; undefined for success. */
export function classOfStatus(status: number): FailureClass | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status === 401 || status === 402 || status === 403) return 'unauthorised';
  if (status === 429) return 'limited';
  if (status === 408 || status === 504) return 'timed-out';
  if (status >= 500) return 'overloaded';
  if (REFUSED.has(status)) return 'refused';
  return 'malformed'; // redirects and interim answers: we follow none
}

/** The class of a failed connection by the error's code; the client library's parser gives its errors only a name. */
export function classOfFailure(code: string | undefined, name?: string): FailureClass {
  if (name === 'HTTPParserError') return 'malformed';
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT')
    return 'timed-out';
  if (code === 'ETIMEDOUT') return 'timed-out';
  if (code?.startsWith('HPE_') === true || code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return 'malformed';
  if (code === 'UND_ERR_HEADERS_OVERFLOW' || code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return 'malformed';
  return 'unreachable';
}

/** No connection was made, so nothing was sent. Codes of our own shortage (EMFILE, EADDRNOTAVAIL) are in neither list. */
const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'PROXY_REFUSED',
]);
/** A handshake that fails ends before the request is sent. */
const NO_HANDSHAKE = /^(?:CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

/** The upstream cannot be connected to, by any account and for any request. */
export function cannotConnect({ errorClass, facts }: UpstreamError): boolean {
  if (errorClass !== 'unreachable' && errorClass !== 'timed-out') return false;
  const code = (facts.cause as NodeJS.ErrnoException | undefined)?.code ?? '';
  return NOT_CONNECTED.has(code) || NO_HANDSHAKE.test(code);
}

/** Out of ports of our own: nothing was sent either. */
const NO_PORT = 'EADDRNOTAVAIL';

/** Did a submit that failed surely leave nothing behind? Only then may it be sent again, to somebody else (promise V-05). */
export function certainlyNotAccepted(error: UpstreamError): boolean {
  const { errorClass, facts } = error;
  if (facts.notSent === true) return true;
  switch (errorClass) {
    case 'refused':
    case 'unauthorised':
    case 'limited':
      return true;
    case 'overloaded':
      // Its own words: a page of some proxy in between says nothing about what happened behind it.
      return facts.upstreamMessage !== undefined || facts.upstreamCode !== undefined;
    case 'unreachable':
    case 'timed-out':
      return cannotConnect(error) || (facts.cause as NodeJS.ErrnoException | undefined)?.code === NO_PORT;
    case 'malformed':
    case 'aborted':
      return false;
  }
}

/** Seconds of a Retry-After header (a number or a date), within an hour. */
export function readRetryAfter(header: string | string[] | undefined, now: number): number | undefined {
  const text = Array.isArray(header) ? header[0] : header;
  if (text === undefined) return undefined;
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000;
  return Number.isFinite(seconds) ? Math.min(3600, Math.max(0, Math.ceil(seconds))) : undefined;
}
