// Heads that node:http lets pass although two readers could read them differently: they are refused before anybody does.
import type { IncomingMessage } from 'node:http';
import { GatewayError, invalidRequest } from '../errors/gateway-error.ts';

/** Of these node:http keeps the first or joins them; another reader may take the last. Several keys: access/credentials.ts. */
const SINGLE: ReadonlySet<string> = new Set(['authorization', 'content-type', 'host', 'idempotency-key']);
/** A name or an address with or without a port (RFC 9110, 7.2). */
const HOST = /^(?:[a-z0-9_][a-z0-9._~-]*|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

export function isHost(host: string): boolean {
  return HOST.test(host);
}

/** Undefined where nothing is wrong. */
export function wrongHead({ rawHeaders, headers, httpVersion }: IncomingMessage): Error | undefined {
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    if (!SINGLE.has(name)) continue;
    if (seen.has(name)) return invalidRequest(`The header "${name}" is given more than once.`, name);
    seen.add(name);
  }
  const isOld = httpVersion === '1.0' || httpVersion === '0.9';
  if (headers.host === undefined && !isOld) return invalidRequest('The header "host" is missing.', 'host');
  if (headers.expect !== undefined && !/^100-continue$/i.test(headers.expect))
    return new GatewayError('invalid_request', {
      message: 'The header "expect" may only be 100-continue.',
      param: 'expect',
      status: 417,
    });
  if (headers.host !== undefined && !(isOld && headers.host === '') && !isHost(headers.host))
    return invalidRequest('The header "host" is not a host with or without a port.', 'host');
  if (isOld && headers['transfer-encoding'] !== undefined)
    return invalidRequest('HTTP/1.0 has no transfer encodings; send a Content-Length.', 'transfer-encoding');
  return undefined;
}
