// The top-level fields of a JSON object, found by one validating pass over its bytes. Here so that a body of any size can
// be checked, read in part and forwarded as the very bytes that were checked.
import { isUtf8 } from 'node:buffer';
import { JsonScanner, PAUSED } from './json-scanner.ts';
import type { LongTexts } from './json-walk.ts';
import { JsonSyntaxError } from './json-syntax-error.ts';

export { KIND_BITS } from './json-kinds.ts';
export { JsonSyntaxError } from './json-syntax-error.ts';

export type JsonKind = 'string' | 'number' | 'object' | 'array' | 'boolean' | 'null';

/** Where one field stands: its key's quote, its value's first byte, and the byte behind its value. */
export interface JsonField {
  readonly entryStart: number;
  readonly valueStart: number;
  readonly valueEnd: number;
  readonly kind: JsonKind;
  /** Of an array or an object: what it holds directly, numbers and literals left out. */
  readonly entries: number;
  /** Of an array: the kinds of what it holds, as bits (KIND_BITS). */
  readonly inner: number;
}

export interface JsonEntry extends JsonField {
  /** The key with its escapes decoded. */
  readonly name: string;
}

export interface JsonObject {
  readonly bytes: Buffer;
  /** Every field in the order of the text, repeated ones included. */
  readonly entries: readonly JsonEntry[];
  /** The last occurrence of each name, as JSON.parse would have it. */
  readonly fields: ReadonlyMap<string, JsonField>;
  /** Names that occur more than once, however they are spelled with escapes. */
  readonly duplicates: ReadonlySet<string>;
  /** String values above 1024 bytes, at any depth, that look like embedded media: how many, and their bytes. */
  readonly opaque: { readonly count: number; readonly bytes: number };
  /** Some text, at any depth, begins like a marked signature. */
  readonly noted: boolean;
  /** Texts that nobody need walk over again. */
  readonly texts?: LongTexts | undefined;
  /** Which kinds of names nested fields have (noted-names.ts). */
  readonly names: number;
}

export interface ScanOptions {
  maxDepth?: number;
  maxFields?: number;
  /** At any depth; see the scanner. */
  maxValues?: number;
}

const DEFAULT_MAX_DEPTH = 128;
/** Each top-level field costs memory many times its bytes; no protocol comes near this. */
const DEFAULT_MAX_FIELDS = 4096;

const NO_NAMES: ReadonlySet<string> = new Set();
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const CLOSE_ARRAY = 0x5d;
const SPACE = 0x20;

/** Accepts what JSON.parse accepts, as long as it is an object within the limits; else throws JsonSyntaxError. */
export function scanJsonObject(bytes: Buffer, options: ScanOptions = {}): JsonObject {
  const known = bytes.length < WORTH_KNOWING ? undefined : scanned.get(bytes);
  if (known instanceof JsonSyntaxError) throw known;
  return known ?? (scanSteps(bytes, options, Infinity).next().value as JsonObject);
}

/** The same in slices of so many bytes, before each of which `slot` is awaited. Later scans of these bytes return the same outcome. */
export async function scanInSlices(
  bytes: Buffer,
  options: ScanOptions & { sliceBytes: number; slot(): Promise<void> },
): Promise<void> {
  const steps = scanSteps(bytes, options, options.sliceBytes);
  try {
    for (;;) {
      await options.slot();
      const { done, value } = steps.next();
      if (done === true) return void scanned.set(bytes, value);
    }
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    scanned.set(bytes, error);
  }
}

/** Part of a scanned object, as bytes of which the long texts are known. */
export function partOf({ bytes, texts }: JsonObject, start: number, end: number): Buffer {
  const part = bytes.subarray(start, end);
  if (texts !== undefined && part.length >= WORTH_KNOWING)
    partTexts.set(part, { ends: texts.ends, offset: texts.offset + start });
  return part;
}

/** For bytes that were made of scanned ones: where their long texts end, by where they begin. */
export function knowTexts(bytes: Buffer, ends: ReadonlyMap<number, number>): void {
  partTexts.set(bytes, { ends, offset: 0 });
}

/** Bytes below this size are scanned again sooner than looked up. */
const WORTH_KNOWING = 16 * 1024;
const scanned = new WeakMap<Buffer, JsonObject | JsonSyntaxError>();
const partTexts = new WeakMap<Buffer, LongTexts>();

/** Yields wherever a slice ends. */
function* scanSteps(bytes: Buffer, options: ScanOptions, sliceBytes: number): Generator<void, JsonObject> {
  const { maxDepth = DEFAULT_MAX_DEPTH, maxFields = DEFAULT_MAX_FIELDS, maxValues } = options;
  const known = bytes.length < WORTH_KNOWING ? undefined : partTexts.get(bytes);
  const scanner = new JsonScanner(bytes, maxDepth, { maxValues, texts: known });
  const start = findOpening(scanner, known !== undefined);
  const entries: JsonEntry[] = [];
  const fields = new Map<string, JsonEntry>();
  let duplicates: Set<string> | undefined;
  let position = scanner.skipSpace(start + 1);
  let end = position + 1;
  if (sliceBytes < bytes.length) scanner.pauseAt(sliceBytes);
  if (scanner.at(position) !== CLOSE_OBJECT) {
    do {
      const entryStart = position;
      const keyEnd = scanner.skipName(entryStart);
      const valueStart = scanner.skipColon(keyEnd);
      let valueEnd = scanner.skipValue(valueStart, 1);
      while (valueEnd === PAUSED) {
        scanner.pauseAt(scanner.position + sliceBytes);
        yield;
        valueEnd = scanner.goOn();
      }
      // The scanner accepted the value, so its first byte has a kind.
      const kind = kindOf(scanner.at(valueStart)) ?? 'null';
      const name = readKey(bytes, entryStart, keyEnd);
      if (entries.length === maxFields) throw new JsonSyntaxError(`more than ${maxFields} fields`, position);
      const entry = { name, entryStart, valueStart, valueEnd, kind, entries: scanner.entries, inner: scanner.inner };
      const before = fields.size;
      fields.set(name, entry);
      if (fields.size === before) (duplicates ??= new Set()).add(name);
      entries.push(entry);
      position = scanner.skipSeparator(valueEnd, CLOSE_OBJECT);
    } while (position >= 0);
    end = -1 - position;
  }
  const rest = scanner.skipSpace(end);
  if (rest < bytes.length) scanner.fail(rest);
  const { opaque, noted, names, longTexts } = scanner;
  const texts = known ?? (longTexts && { ends: longTexts, offset: 0 });
  return { bytes, entries, fields, duplicates: duplicates ?? NO_NAMES, opaque, noted, names, texts };
}

/** The value of a field, built from its bytes alone; undefined when there is none. */
export function readField(object: JsonObject, name: string): unknown {
  const field = object.fields.get(name);
  if (field === undefined) return undefined;
  if (field.kind === 'null') return null;
  if (field.kind === 'boolean') return object.bytes[field.valueStart] === 0x74;
  if (field.kind === 'number') return Number(object.bytes.toString('latin1', field.valueStart, field.valueEnd));
  if (field.kind === 'string') return decodeText(object.bytes, field.valueStart, field.valueEnd);
  return JSON.parse(object.bytes.toString('utf8', field.valueStart, field.valueEnd));
}

export function arrayIsEmpty(object: JsonObject, field: JsonField): boolean {
  if (field.kind !== 'array') return false;
  let position = field.valueStart + 1;
  while ((object.bytes[position] as number) <= SPACE) position++;
  return position === field.valueEnd - 1;
}

/** How many values a field that is an array holds; 0 when there is none. The values are walked over, not built. */
export function arrayLength(object: JsonObject, name: string): number {
  const field = object.fields.get(name);
  if (field?.kind !== 'array' || arrayIsEmpty(object, field)) return 0;
  const scanner = new JsonScanner(object.bytes, Infinity, object); // the depth was checked when the object was scanned
  let count = 0;
  let position = scanner.skipSpace(field.valueStart + 1);
  for (; position >= 0; count++) position = scanner.skipSeparator(scanner.skipValue(position, 0), CLOSE_ARRAY);
  return count;
}

/** The bytes of each value of a field that is an array. */
export function arrayElements(object: JsonObject, field: JsonField): Buffer[] {
  const scanner = new JsonScanner(object.bytes, Infinity, object); // the depth was checked when the object was scanned
  const elements: Buffer[] = [];
  let position = scanner.skipSpace(field.valueStart + 1);
  if (scanner.at(position) === CLOSE_ARRAY) return elements;
  while (position >= 0) {
    const end = scanner.skipValue(position, 0);
    elements.push(partOf(object, position, end));
    position = scanner.skipSeparator(end, CLOSE_ARRAY);
  }
  return elements;
}

function findOpening(scanner: JsonScanner, isPart: boolean): number {
  const { bytes } = scanner;
  const start = scanner.skipSpace(0);
  if (start === bytes.length) throw new JsonSyntaxError('it is empty', 0);
  if (!isPart && !isUtf8(bytes)) throw new JsonSyntaxError('it is not valid UTF-8', 0);
  const kind = kindOf(scanner.at(start));
  if (kind === undefined) scanner.fail(start);
  if (kind !== 'object') {
    const mayBeLong = kind === 'string' || kind === 'array';
    if (!mayBeLong || bytes.length < WORTH_KNOWING) requireWhole(scanner, start);
    throw new JsonSyntaxError(`its type is ${kind}`, start);
  }
  scanner.enter(start, 1);
  return start;
}

/** A text that only begins like JSON of another type is not said to be of that type. */
function requireWhole(scanner: JsonScanner, start: number): void {
  const end = scanner.skipSpace(scanner.skipValue(start, 0));
  if (scanner.at(end) !== -1) scanner.fail(end);
}

/** Keys repeat from body to body: the last one seen in each slot is kept, which saves making the same string again. */
const seenKeys: string[] = Array.from({ length: 256 }, () => '');
const LONGEST_SEEN_KEY = 32;

function readKey(bytes: Buffer, start: number, end: number): string {
  const length = end - start - 2;
  if (length === 0 || length > LONGEST_SEEN_KEY) return decodeText(bytes, start, end);
  const slot = (length * 37 + (bytes[start + 1] as number) * 5 + (bytes[end - 2] as number)) & 255;
  const seen = seenKeys[slot] as string;
  if (seen.length === length && standsAt(bytes, start + 1, seen)) return seen;
  const key = decodeText(bytes, start, end);
  // As many characters as bytes: pure ASCII without escapes, so it may be compared byte by byte.
  if (key.length === length) seenKeys[slot] = key;
  return key;
}

function standsAt(bytes: Buffer, start: number, text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) !== bytes[start + index]) return false;
  }
  return true;
}

/** A string between its quotes, which the scanner has accepted. */
function decodeText(bytes: Buffer, start: number, end: number): string {
  const raw = bytes.toString('utf8', start + 1, end - 1);
  return raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw;
}

export function kindOf(byte: number): JsonKind | undefined {
  if (byte === 0x22) return 'string';
  if (byte === OPEN_OBJECT) return 'object';
  if (byte === 0x5b) return 'array';
  if (byte === 0x74 || byte === 0x66) return 'boolean';
  if (byte === 0x6e) return 'null';
  return byte === 0x2d || (byte >= 0x30 && byte <= 0x39) ? 'number' : undefined;
}
