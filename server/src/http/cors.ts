// Lets pages of other origins use the public API (contract-2 7). Cookies never count: nothing here allows credentials, and the
// operator API, console, portal and metrics are never opened.
import type { RequestHeaders } from '../access/credentials.ts';

/** `*`, or the origins that may; empty: none. */
export type CorsOrigins = '*' | readonly string[];

const PUBLIC_PATH = /^\/v1(beta|alpha)?(\/|$)/;
const RATE_HEADERS = ['limit', 'remaining', 'reset'].flatMap((what) =>
  ['requests', 'tokens', 'concurrency'].map((of) => `x-ratelimit-${what}-${of}`),
);
const EXPOSED = [
  'x-request-id',
  'request-id',
  'retry-after',
  ...RATE_HEADERS,
  'x-tollgate-dropped',
  'x-tollgate-first-request-id',
  'x-tollgate-max-tokens',
  'x-tollgate-usage-source',
  'idempotent-replayed',
  'content-range',
].join(', ');
const MAX_AGE_SECONDS = '86400';
/** Of a path that is not served: the page is to read the 404. */
const ANY_METHOD = ['DELETE', 'GET', 'POST'];
const HEADER_NAMES = /^[a-z0-9!#$%&'*+.^_`|~-]+(\s*,\s*[a-z0-9!#$%&'*+.^_`|~-]+)*$/i;

export interface Preflight {
  status: 204;
  headers: Record<string, string>;
}

export class Cors {
  readonly #origins: CorsOrigins;

  constructor(origins: CorsOrigins) {
    this.#origins = origins;
  }

  /** What an answer carries for the page that asked; undefined where no page asked. */
  answerHeaders(path: string, headers: RequestHeaders): Record<string, string> | undefined {
    const { origin } = headers;
    if (typeof origin !== 'string' || this.#origins.length === 0 || !PUBLIC_PATH.test(path)) return undefined;
    if (this.#origins === '*') return { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED };
    if (!this.#origins.includes(origin)) return { vary: 'Origin' };
    return { 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED, vary: 'Origin' };
  }

  /** The answer to a preflight, which needs no token; undefined where the request is none. */
  preflight(path: string, headers: RequestHeaders, methods: readonly string[]): Preflight | undefined {
    const allowed = this.answerHeaders(path, headers);
    if (allowed === undefined || headers['access-control-request-method'] === undefined) return undefined;
    const status = 204;
    const { 'access-control-allow-origin': origin, vary } = allowed;
    if (origin === undefined) return { status, headers: { ...(vary !== undefined && { vary }) } };
    const asked = headers['access-control-request-headers'];
    return {
      status,
      headers: {
        'access-control-allow-origin': origin,
        'access-control-allow-methods': (methods.length === 0 ? ANY_METHOD : methods).join(', '),
        ...(typeof asked === 'string' && HEADER_NAMES.test(asked) && { 'access-control-allow-headers': asked }),
        'access-control-max-age': MAX_AGE_SECONDS,
        vary: 'Origin, Access-Control-Request-Headers',
      },
    };
  }
}
