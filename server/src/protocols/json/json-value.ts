// Looking into parsed JSON of unknown shape: tolerantly for what upstreams say, strictly for what callers ask.
import { invalidRequest } from '../../errors/gateway-error.ts';
import type { MediaSource } from '../../neutral/conversation.ts';

export type JsonRecord = Record<string, unknown>;

export function asRecord(value: unknown): JsonRecord | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonRecord) : undefined;
}

/** An empty list for anything that is none. */
export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** A count that can be believed: whole and not negative. */
export function asCount(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;
}

/** undefined also for what is nested deeper than anybody means it: to write such a value again would end the stack. */
export function parseRecord(bytes: string | Buffer): JsonRecord | undefined {
  const text = bytes.toString();
  try {
    return isTooDeep(text) ? undefined : asRecord(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** An object or an array, at any depth: of what is looked into, and never written again. */
export function parseObject(text: string): JsonRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as JsonRecord) : undefined;
  } catch {
    return undefined;
  }
}

const DEEPEST = 512;

function isTooDeep(text: string): boolean {
  if (text.length <= 2 * DEEPEST) return false; // every level has two brackets
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = endOfText(text, at);
    else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') depth--;
    if (depth > DEEPEST) return true;
  }
  return false;
}

/** Where the quote stands that ends what begins with the one at `start`. */
function endOfText(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let escapes = 0;
    while (text[quote - 1 - escapes] === '\\') escapes++;
    if (escapes % 2 === 0) return quote;
  }
  return text.length;
}

export function needRecord(value: unknown, path: string): JsonRecord {
  const record = asRecord(value);
  if (record === undefined) throw invalidRequest(`'${path}' must be an object.`, path);
  return record;
}

export function needList(value: unknown, path: string): unknown[] {
  if (!Array.isArray(value)) throw invalidRequest(`'${path}' must be an array.`, path);
  return value;
}

export function needText(value: unknown, path: string): string {
  if (typeof value !== 'string') throw invalidRequest(`'${path}' must be a string.`, path);
  return value;
}

/** The body of a request, whose fields have been checked as far as the relay needs them. */
export function needBody(body: Buffer): JsonRecord {
  const record = parseRecord(body);
  if (record === undefined) throw invalidRequest('The body must be a JSON object.');
  return record;
}

export function optionalNumber(value: unknown, path: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  const number = asNumber(value);
  if (number === undefined) throw invalidRequest(`'${path}' must be a number.`, path);
  return number;
}

export function optionalText(value: unknown, path: string): string | undefined {
  return value === undefined || value === null ? undefined : needText(value, path);
}

export function optionalFlag(value: unknown, path: string): boolean | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'boolean') throw invalidRequest(`'${path}' must be true or false.`, path);
  return value;
}

export function optionalRecord(value: unknown, path: string): JsonRecord | undefined {
  return value === undefined || value === null ? undefined : needRecord(value, path);
}

export function optionalList(value: unknown, path: string): unknown[] {
  return value === undefined || value === null ? [] : needList(value, path);
}

export type Given<T> = { [K in keyof T]: T[K] | undefined };

/** Arguments of a tool call as an object. Text that is none (models do write such) is kept under a name of its own. */
export function readArguments(text: string): JsonRecord {
  return text.trim() === '' ? {} : (parseRecord(text) ?? { arguments: text });
}

/** Without the fields that are not there. */
export function present<T extends object>(fields: Given<T>): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

/** Names of the fields that are present and not among the known ones, as paths. */
export function unknownFields(record: JsonRecord, known: ReadonlySet<string>, prefix = ''): string[] {
  return Object.keys(record)
    .filter((name) => !known.has(name) && record[name] !== null && record[name] !== undefined)
    .map((name) => prefix + name);
}

/** Longer than any head of a data URL that is meant seriously. */
const LONGEST_HEAD = 200;

/** `data:image/png;base64,AAAA` taken apart; undefined for any other address. */
export function readDataUrl(url: string): { mediaType: string; data: string } | undefined {
  const found = /^data:([^;,]*)((?:;[^;,]*)*),/i.exec(url.slice(0, LONGEST_HEAD));
  if (found === null) return undefined;
  const [head, mediaType = '', parameters = ''] = found;
  const rest = url.slice(head.length);
  if (/;base64$/i.test(parameters)) return { mediaType, data: rest };
  const text = decodePercents(rest);
  return text === undefined ? undefined : { mediaType: mediaType || 'text/plain', data: toBase64(text) };
}

/** A `data:` address is data; media types are compared without parameters. */
export function settleSource(source: MediaSource): MediaSource {
  const data = source.by === 'url' ? readDataUrl(source.url) : source.by === 'data' ? source : undefined;
  if (data === undefined) return source;
  return { by: 'data', data: data.data, mediaType: (data.mediaType.split(';')[0] ?? '').trim().toLowerCase() };
}

export function writeDataUrl({ mediaType, data }: { mediaType: string; data: string }): string {
  return `data:${mediaType};base64,${data}`;
}

function decodePercents(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function toBase64(text: string): string {
  return Buffer.from(text).toString('base64');
}
