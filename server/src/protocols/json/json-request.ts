// What all protocols with a JSON body share: the top level is scanned, never built; fields have one type and one meaning,
// or the request is refused by name.
import { invalidRequest } from '../../errors/gateway-error.ts';
import { foldName } from '../../shared/fold-name.ts';
import type { JsonEntry, JsonField, JsonKind, JsonObject } from '../../shared/json-fields.ts';
import {
  arrayElements,
  arrayIsEmpty,
  JsonSyntaxError,
  KIND_BITS,
  kindOf,
  readField,
  scanInSlices,
  scanJsonObject,
} from '../../shared/json-fields.ts';
import { ScanQueue } from '../../shared/scan-queue.ts';
import type { RelayRequest } from '../protocol.ts';

export interface WireField {
  readonly kinds: readonly JsonKind[];
  /** What the field must be, as the caller reads it. */
  readonly expected: string;
  /** Of an array: what each of its values must be. */
  readonly items?: ItemRule;
}

export interface ItemRule {
  readonly kinds: readonly JsonKind[];
  readonly expected: string;
  /** All of one kind: texts, or numbers, but not both. */
  readonly alike?: true;
}

export const STRING: WireField = { kinds: ['string'], expected: 'a string' };
export const BOOLEAN: WireField = { kinds: ['boolean'], expected: 'true or false' };
export const NUMBER: WireField = { kinds: ['number'], expected: 'a number' };
export const INTEGER: WireField = { kinds: ['number'], expected: 'a whole number' };
export const ARRAY: WireField = { kinds: ['array'], expected: 'an array' };
export const OBJECT: WireField = { kinds: ['object'], expected: 'an object' };
export const ARRAY_OR_OBJECT: WireField = { kinds: ['array', 'object'], expected: 'an array or an object' };
export const STRING_OR_ARRAY: WireField = { kinds: ['string', 'array'], expected: 'a string or an array' };
export const STRING_OR_OBJECT: WireField = { kinds: ['string', 'object'], expected: 'a string or an object' };
export const ANY: WireField = { kinds: ['string', 'number', 'object', 'array', 'boolean'], expected: 'any value' };

export const OBJECTS: WireField = { ...ARRAY, items: { kinds: ['object'], expected: 'an object' } };
export const STRINGS: WireField = { ...ARRAY, items: { kinds: ['string'], expected: 'a string' } };
export const STRINGS_OR_OBJECT: WireField = { ...ARRAY_OR_OBJECT, items: { kinds: ['string'], expected: 'a string' } };
export const STRING_OR_STRINGS: WireField = { ...STRING_OR_ARRAY, items: { kinds: ['string'], expected: 'a string' } };
export const STRING_OR_OBJECTS: WireField = { ...STRING_OR_ARRAY, items: { kinds: ['object'], expected: 'an object' } };
/** Texts, token ids, or lists of token ids: one text or several. */
export const TEXTS_OR_TOKENS: WireField = {
  ...STRING_OR_ARRAY,
  items: {
    kinds: ['string', 'number', 'array'],
    expected: 'a string, a token id or an array of token ids',
    alike: true,
  },
};

export type WireFields = ReadonlyMap<string, WireField>;

/**
 * `decides`: about the route, the money or the form of the answer. Given twice, readers could disagree on such a field.
 * `fixed`: it decides, and no channel may filter it out, since without it the request is another one.
 */
export type FieldRole = 'decides' | 'fixed';

export interface WireTable {
  fields: WireFields;
  deciding: readonly string[];
  fixed: ReadonlySet<string>;
}

/** The top-level fields of a request that have a fixed type. */
export function wireTable(rows: readonly (readonly [name: string, field: WireField, role?: FieldRole])[]): WireTable {
  const deciding = rows.filter(([, , role]) => role !== undefined);
  return {
    fields: new Map(rows.map(([name, field]) => [name, field])),
    deciding: deciding.map(([name]) => name),
    fixed: new Set(deciding.flatMap(([name, , role]) => (role === 'fixed' ? [name] : []))),
  };
}

/** In one body, at any depth; ten numbers count as one. What is built of them takes the event loop about 1 us each. */
export const MOST_VALUES = 50_000;
/** Messages, items, documents, tools: of each list of a body. */
const MOST_ENTRIES = 10_000;
/** Of a prompt, a query, a text to be spoken and of settings. */
const MOST_FIELD_BYTES = 1024 * 1024;
/** Longer bodies are scanned in slices of this size, a few milliseconds each. */
const SLICE_BYTES = 512 * 1024;
const LIMITS = { maxValues: MOST_VALUES };
const queue = new ScanQueue();
const IN_SLICES = { ...LIMITS, sliceBytes: SLICE_BYTES, slot: () => queue.take() };

/** To be awaited before a body is read: scans a large one without holding up other requests. */
export function scanAhead(bytes: Buffer): Promise<void> | undefined {
  return bytes.length <= SLICE_BYTES ? undefined : scanInSlices(bytes, IN_SLICES);
}

/** Scans the body and checks the kinds of the known fields; those that decide may stand only once. */
export function readJsonBody(bytes: Buffer, fields: WireFields, deciding: readonly string[]): JsonObject {
  const json = scanBody(bytes);
  for (const entry of json.entries) checkEntry(json, entry, fields);
  if (json.duplicates.size > 0) refuseDuplicates(json, deciding);
  return json;
}

/** The field with this name; one that is null counts as absent. */
export function presentField(json: JsonObject, name: string): JsonField | undefined {
  const field = json.fields.get(name);
  return field?.kind === 'null' ? undefined : field;
}

function scanBody(bytes: Buffer): JsonObject {
  try {
    return scanJsonObject(bytes, LIMITS);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw invalidRequest(`The body is not a valid JSON object: ${error.message}.`);
  }
}

function checkEntry(json: JsonObject, entry: JsonEntry, fields: WireFields): void {
  const { name, kind, entries } = entry;
  const field = fields.get(name);
  if (entries > MOST_ENTRIES) throw invalidRequest(`'${name}' has more than ${MOST_ENTRIES} entries.`, name);
  if (field === undefined) refuseLookalike(name, fields);
  else if (kind !== 'null' && !field.kinds.includes(kind)) {
    throw invalidRequest(`'${name}' must be ${field.expected}.`, name);
  } else if (kind === 'array' && field.items !== undefined) checkItems(json, entry, field.items);
}

/** The kinds were seen when the body was scanned; only what is refused is looked for. */
function checkItems(json: JsonObject, entry: JsonEntry, { kinds, expected, alike }: ItemRule): void {
  const { name, inner } = entry;
  const allowed = kinds.reduce((bits, kind) => bits | KIND_BITS[kind], 0);
  const isMixed = alike === true && (inner & (inner - 1)) !== 0;
  if ((inner & ~allowed) === 0 && !isMixed) return;
  const items = arrayElements(json, entry).map((bytes) => kindOf(bytes[0] ?? -1));
  const [first] = items;
  const index = items.findIndex((kind) => kind === undefined || !kinds.includes(kind) || (isMixed && kind !== first));
  const path = `${name}[${index}]`;
  const kind = items[index];
  if (isMixed && kind !== undefined && kinds.includes(kind))
    throw invalidRequest(`'${path}' must be of the same type as '${name}[0]'.`, path);
  throw invalidRequest(`'${path}' must be ${expected}.`, path);
}

/** Some upstreams compare names without case: `Model` beside `model` would be one field to us and another to them. */
export function refuseLookalike(name: string, known: { has(name: string): boolean }): void {
  const folded = foldName(name);
  if (folded !== name && known.has(folded)) throw invalidRequest(`'${name}' must be written '${folded}'.`, folded);
}

export function refuseDuplicates(json: JsonObject, names: readonly string[], prefix = ''): void {
  for (const name of names) {
    if (!json.duplicates.has(name)) continue;
    throw invalidRequest(`'${prefix}${name}' is given more than once.`, `${prefix}${name}`);
  }
}

/** The model's name, which every request must have. */
export function readModel(json: JsonObject): string {
  return requireText(json, 'model');
}

/** The value of a field that nothing large belongs in: it is built before anything is paid for. */
export function readValue(json: JsonObject, name: string, most = MOST_FIELD_BYTES): unknown {
  const field = json.fields.get(name);
  if (field !== undefined && field.valueEnd - field.valueStart > most)
    throw invalidRequest(`'${name}' is larger than ${most} bytes.`, name);
  return readField(json, name);
}

/** A whole number of at least 1; undefined when absent. */
export function readWhole(json: JsonObject, name: string, max: number, prefix = ''): number | undefined {
  if (presentField(json, name) === undefined) return undefined;
  const value = readValue(json, name);
  if (Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= max) return value as number;
  const range = max === Number.MAX_SAFE_INTEGER ? 'of at least 1' : `from 1 to ${max}`;
  throw invalidRequest(`'${prefix}${name}' must be a whole number ${range}.`, `${prefix}${name}`);
}

/** A required text that is not empty. */
export function requireText(json: JsonObject, name: string): string {
  const value = readValue(json, name);
  if (typeof value === 'string' && value !== '') return value;
  throw invalidRequest(`'${name}' is required.`, name);
}

/** A field that must be there, and not as an empty list. */
export function requireFilled(json: JsonObject, name: string, prefix = ''): JsonField {
  const field = presentField(json, name);
  const path = prefix + name;
  if (field === undefined) throw invalidRequest(`'${path}' is required.`, path);
  if (arrayIsEmpty(json, field)) throw invalidRequest(`'${path}' must not be empty.`, path);
  return field;
}

/** An object inside the body, which stands at `path`. */
export function scanPart(bytes: Buffer, path: string): JsonObject {
  try {
    return scanJsonObject(bytes);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw invalidRequest(`'${path}' is not valid: ${error.message}.`, path);
  }
}

/** What an estimate goes by. */
export function inputSize({ bytes, opaque }: JsonObject): Pick<RelayRequest, 'inputBytes' | 'mediaCount'> {
  return { inputBytes: bytes.length - opaque.bytes, mediaCount: opaque.count };
}

/** Of two limits, of which any may be absent. */
export function larger(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}
