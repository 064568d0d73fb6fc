// What a body names, found in its bytes when somebody asks: so seldom that no request pays for it beforehand.
import { asRecord, parseRecord } from './json-value.ts';

/** Fields whose text is an id at the upstream, whatever it looks like. */
const KEPT: ReadonlySet<string> = new Set(['file_id', 'fileUri', 'file_uri']);
/** Fields whose text may be an address; `url` is one in so many things that only these of media count. */
const FETCHED: ReadonlySet<string> = new Set([
  'image_url',
  'image_url.url',
  'video_url',
  'video_url.url',
  'source.url',
  'file_url',
  'file_data',
]);
const ADDRESS = /^(?!data:)[a-z][\w+.-]*:/i;

/** Media that the upstream fetches or keeps: the body does not say how long they are. */
export function namesSource(body: Buffer): boolean {
  return hasSource(parseRecord(body), '');
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
