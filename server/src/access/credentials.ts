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

const VENDOR_KEY_HEADER = /^x-[a-z0-9][a-z0-9_-]*-api-key$/;
const VERSION_HEADER = /^[a-z0-9][a-z0-9_-]*-version$/;
const USUAL_VERSION_HEADER = 'anthropic-version';
/** Published by the vendor, oldest first. The first is the spec's and always works (spec 9). */
export const MESSAGES_VERSIONS: readonly string[] = ['2023-06-01', '2026-10-21'];

/** More than a confused client sends, and few enough to look up. */
const MOST_KEYS = 4;

/** Every key that the request carries, each once; the endpoint's style only decides whether the query is read (contract-2 7). */
export function findCredentials({ headers, query }: CredentialRequest, style: CarrierStyle): string[] {
  const found = bearerTokens(headers['authorization']);
  for (const name in headers) {
    if (!name.endsWith('-api-key')) continue;
    if (name === 'x-api-key' || VENDOR_KEY_HEADER.test(name)) found.push(...headerKeys(headers[name]));
  }
  if (style === 'generate-content') found.push(...queryKeys(query));
  if (found.length < 2) return found;
  const distinct = [...new Set(found)];
  if (distinct.length > MOST_KEYS) throw severalKeys();
  return distinct;
}

export function severalKeys(): GatewayError {
  return new GatewayError('invalid_api_key', {
    message: 'The request carries several API keys that differ. Send exactly one.',
  });
}

/**
 * The version that a request to /v1/messages speaks (spec 5, 9; contract-2 7). `anthropic-version` decides where it is sent;
 * else the one `<word>-version` header with a known version does. All other `*-version` headers mean something else.
 */
export function readMessagesVersion(headers: RequestHeaders): string {
  const named = listItems(headers[USUAL_VERSION_HEADER]);
  const found = new Set(named.length > 0 ? named : knownVersions(headers));
  const [version] = found;
  if (version !== undefined && found.size === 1 && isKnownVersion(version)) return version;
  const problem =
    headers[USUAL_VERSION_HEADER] !== undefined
      ? `The header "${USUAL_VERSION_HEADER}" has no known version.`
      : found.size > 1
        ? 'Several headers name versions that differ.'
        : 'The version header is missing.';
  const known = MESSAGES_VERSIONS.map((one) => `"${one}"`).join(' or ');
  throw invalidRequest(
    `${problem} Send "${USUAL_VERSION_HEADER}: ${MESSAGES_VERSIONS[0]}". Known versions: ${known}.`,
    USUAL_VERSION_HEADER,
  );
}

function knownVersions(headers: RequestHeaders): string[] {
  return Object.keys(headers)
    .filter((name) => VERSION_HEADER.test(name))
    .flatMap((name) => listItems(headers[name]))
    .filter(isKnownVersion);
}

function isKnownVersion(text: string): boolean {
  return MESSAGES_VERSIONS.includes(text);
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

/** A header sent twice arrives joined by a comma and a space. A comma alone may be part of a key that an operator chose. */
function headerKeys(header: string | string[] | undefined): string[] {
  return listItems(header, /,[ \t]+/);
}

/** A header sent twice arrives as a list or joined by commas. */
function listItems(header: string | string[] | undefined, separator: string | RegExp = ','): string[] {
  if (header === undefined) return [];
  return (typeof header === 'string' ? header : header.join(', '))
    .split(separator)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function queryKeys(query: string): string[] {
  if (query === '') return [];
  return new URLSearchParams(query).getAll('key').filter((key) => key !== '');
}
