// Finds the access token in a request, wherever its endpoint lets it be carried (spec 5, contract 5), and checks the
// version header that goes with one of the carriers.
import { GatewayError, invalidRequest } from '../errors/gateway-error.ts';

export type CarrierStyle = 'compatible' | 'messages' | 'generate-content';
export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>;

export interface CredentialRequest {
  /** Without the query. */
  path: string;
  /** Names in lower case. */
  headers: RequestHeaders;
  /** Raw, without the question mark; may be empty. */
  query: string;
}

export const VENDOR_KEY_HEADER = /^x-[a-z0-9][a-z0-9_-]*-api-key$/;
const VERSION_HEADER = /^[a-z0-9][a-z0-9_-]*-version$/;
const USUAL_VERSION_HEADER = 'anthropic-version';
const VERSION = '2023-06-01';

/** undefined when the request carries none; throws when it carries several that differ, since guessing would be worse. */
export function findCredential(request: CredentialRequest, style: CarrierStyle): string | undefined {
  const found = bearerTokens(request.headers['authorization']);
  if (style === 'messages') found.push(...listItems(request.headers['x-api-key']));
  if (style === 'generate-content') {
    for (const name of Object.keys(request.headers)) {
      if (VENDOR_KEY_HEADER.test(name)) found.push(...listItems(request.headers[name]));
    }
    found.push(...queryKeys(request.query));
  }
  const [first] = found;
  if (found.some((other) => other !== first)) {
    throw new GatewayError('invalid_api_key', {
      message: 'The request carries several API keys that differ. Send exactly one.',
    });
  }
  return first;
}

/** /v1/messages: any header named `<word>-version`, with the one version there is (spec 9). */
export function checkVersionHeader(headers: RequestHeaders): void {
  let different: string | undefined;
  let isThere = false;
  for (const name of Object.keys(headers)) {
    if (!VERSION_HEADER.test(name)) continue;
    const values = listItems(headers[name]);
    if (values.length > 0 && values.every((value) => value === VERSION)) isThere = true;
    // Client libraries also send headers such as `x-<word>-package-version`, which are not meant by this.
    else if (name.indexOf('-') === name.lastIndexOf('-')) different ??= name;
  }
  if (isThere && different === undefined) return;
  const message =
    different === undefined
      ? `The version header is missing. Send "${USUAL_VERSION_HEADER}: ${VERSION}".`
      : `The header "${different}" must be "${VERSION}". Client libraries take it as a default header.`;
  throw invalidRequest(message, different ?? USUAL_VERSION_HEADER);
}

function bearerTokens(header: string | string[] | undefined): string[] {
  const tokens: string[] = [];
  for (const value of typeof header === 'string' ? [header] : (header ?? [])) {
    const text = value.trim();
    const token = /^bearer[ \t]/i.test(text) ? text.slice('bearer'.length).trim() : '';
    if (token !== '') tokens.push(token);
  }
  return tokens;
}

/** A header sent twice arrives as a list or joined by commas; no key contains a comma. */
function listItems(header: string | string[] | undefined): string[] {
  if (header === undefined) return [];
  return (typeof header === 'string' ? header : header.join(','))
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function queryKeys(query: string): string[] {
  if (query === '') return [];
  return new URLSearchParams(query).getAll('key').filter((key) => key !== '');
}
