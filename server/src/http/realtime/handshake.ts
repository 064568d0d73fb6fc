// What of a request to become a WebSocket decides: whether it is one for a session, whether it can be answered, and the token
// that browsers carry among the subprotocols because their pages can set no header.
import type { IncomingMessage } from 'node:http';
import type { RequestHeaders } from '../../access/credentials.ts';
import { invalidRequest } from '../../errors/gateway-error.ts';

export const REALTIME_PATH = '/v1/realtime';
/** The subprotocol that is answered. */
export const SUBPROTOCOL = 'realtime';

const KEY_SUBPROTOCOL = 'openai-insecure-api-key.';
const VERSIONS = new Set(['13', '8']);
const NONCE = /^[+/0-9A-Za-z]{22}==$/;

/** `path`: without the prefix of a base address. */
export function asksForSession({ method, headers }: IncomingMessage, path: string): boolean {
  return path === REALTIME_PATH && method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';
}

/** Throws what keeps it from being answered: before an upstream is asked. */
export function checkHandshake({ headers }: Pick<IncomingMessage, 'headers'>): void {
  if (!VERSIONS.has(headers['sec-websocket-version'] ?? ''))
    throw invalidRequest('The header "sec-websocket-version" must be 13.', 'sec-websocket-version');
  if (!NONCE.test(headers['sec-websocket-key'] ?? ''))
    throw invalidRequest('The header "sec-websocket-key" must be 16 bytes in base64.', 'sec-websocket-key');
}

/** The headers with a key of the subprotocols as a bearer token beside any other: one rule decides between several. */
export function withSubprotocolKey(headers: RequestHeaders): RequestHeaders {
  const keys = subprotocols(headers)
    .filter((name) => name.startsWith(KEY_SUBPROTOCOL))
    .map((name) => `Bearer ${name.slice(KEY_SUBPROTOCOL.length)}`);
  if (keys.length === 0) return headers;
  const { authorization = [] } = headers;
  return {
    ...headers,
    authorization: [...keys, ...(typeof authorization === 'string' ? [authorization] : authorization)],
  };
}

function subprotocols(headers: RequestHeaders): string[] {
  const offered = headers['sec-websocket-protocol'] ?? '';
  return (Array.isArray(offered) ? offered.join(',') : offered).split(',').map((name) => name.trim());
}

const NAMED = new Set(['intent', 'call_id']);

/** The model of the query. Throws what is wrong with it. */
export function readModel(query: string): string {
  const fields = new URLSearchParams(query);
  const other = [...NAMED].find((name) => fields.has(name));
  if (other !== undefined) throw invalidRequest(`The parameter "${other}" is not served here. Name a "model".`, other);
  const [model, ...more] = fields.getAll('model');
  if (model === undefined || model === '') throw invalidRequest('model is required', 'model');
  if (more.length > 0) throw invalidRequest('The parameter "model" is given more than once.', 'model');
  return model;
}
