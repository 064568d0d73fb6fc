// What a body names, found in its bytes when somebody asks: so seldom that no request pays for it beforehand.
import { once } from '../../shared/once.ts';
import type { RelayRequest } from '../protocol.ts';
import { asList, asRecord, parseRecord } from './json-value.ts';

/** Fields whose text is an id at the upstream, whatever it looks like. */
const KEPT: ReadonlySet<string> = new Set(['file_id', 'fileUri', 'file_uri', 'vector_store_id']);
/** Fields whose text may be an address; `url` is one in so many things that only these of media count. */
const FETCHED: ReadonlySet<string> = new Set([
  'image_url',
  'image_url.url',
  'video_url',
  'video_url.url',
  'source.url',
  'audio_url',
  'audio_url.url',
  'document_url',
  'document_url.url',
  'file_url',
  'file_data',
]);
/** Fields of the request itself by which the upstream adds input of its own, as vendors call them. */
const ADDING = [
  'web_search_options',
  'search_parameters',
  'enable_search',
  'plugins',
  'mcp_servers',
  'container',
  'tool_resources',
];
/** Tools whose calls the caller answers; every other kind is worked by the upstream, which reads what it finds. */
const CALLERS_TOOLS: ReadonlySet<unknown> = new Set(['function', 'custom']);
const DECLARATIONS: ReadonlySet<string> = new Set(['functionDeclarations', 'function_declarations']);
const ADDRESS = /^(?!data:)[a-z][\w+.-]*:/i;

/**
 * Input that the body does not hold: media and files that the upstream fetches or keeps, what its own tools find, and what it
 * kept of earlier calls.
 */
export function namesSource(body: Buffer): boolean {
  const request = parseRecord(body) ?? {};
  const adds = ADDING.some((name) => isSet(request[name]));
  return adds || asList(request['tools']).some(isUpstreams) || hasSource(request, '');
}

/** Both questions about the sources of a body, as a request has them. */
export function sourcesIn(body: Buffer): Pick<RelayRequest, 'namesSource' | 'mayNameSource'> {
  return { namesSource: () => namesSource(body), mayNameSource: once(() => mayNameSource(body)) };
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false;
}

/** Is this tool worked by the upstream? One without a type is the caller's where it has a name or only declares functions. */
function isUpstreams(tool: unknown): boolean {
  const { type, name, function: declared, ...rest } = asRecord(tool) ?? {};
  if (typeof type === 'string') return !CALLERS_TOOLS.has(type);
  if (name !== undefined || declared !== undefined) return false;
  return Object.keys(rest).some((key) => !DECLARATIONS.has(key));
}

const SOURCE_KEYS = ['file_id"', 'fileUri"', 'file_uri"', 'file_url"', 'file_data"', 'video_url"'];

/** A look at the bytes alone. One too many makes no more than a larger hold. */
export function mayNameSource(body: Buffer): boolean {
  return SOURCE_KEYS.some((key) => body.includes(key)) || (body.includes('"source"') && body.includes('"url"'));
}

/** A mark for the upstream's cache, as callers of any protocol write it. One too many makes no more than a larger hold. */
export function marksCache(body: Buffer): boolean {
  return body.includes('"cache_control"') || body.includes('"prompt_cache_breakpoint"');
}

function hasSource(value: unknown, parent: string): boolean {
  if (Array.isArray(value)) return value.some((one) => hasSource(one, parent));
  return Object.entries(asRecord(value) ?? {}).some(([name, inner]) =>
    typeof inner === 'string' ? isSource(inner, name, parent) : hasSource(inner, name),
  );
}

function isSource(text: string, name: string, parent: string): boolean {
  if (KEPT.has(name)) return text !== '';
  return (FETCHED.has(name) || FETCHED.has(`${parent}.${name}`)) && ADDRESS.test(text);
}
