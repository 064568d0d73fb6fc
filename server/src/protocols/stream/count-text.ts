// Counts the text in an answer, whole or as the events of a stream, by the names of the fields that hold it: what stands
// around the text (ids, log probabilities, citations, usage) is no output. One walk over the bytes; nothing is built.

/** A text counts as many bytes as it has, without its escapes; a `value` those that it is written in; an `image` always the same. */
export type TextKind = 'text' | 'value' | 'image' | 'skip';

export interface TextFields {
  /** Each of these is output. Nothing inside a field of the kind `skip` is. */
  each: Readonly<Record<string, TextKind>>;
  /** The same text under several names: only the longest is output. */
  oneOf?: readonly string[];
  /** Sealed text: output only where none of `oneOf` shows it. */
  instead?: string;
}

interface Counted {
  readonly key: Buffer;
  readonly kind: TextKind;
  /** How many were not empty. */
  pieces: number;
  bytes: number;
}

/** An image is that many tokens, of four bytes each (docs/money.md). */
const IMAGE_BYTES = 1_056 * 4;
const ESCAPED_BYTES = 3;
const SPACE = 0x20;
const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const LOWER_U = 0x75;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

export class TextCounter {
  readonly #each: readonly Counted[];
  readonly #oneOf: readonly Counted[];
  readonly #instead: readonly Counted[];
  /** By the first byte of their names. */
  readonly #byFirst: Counted[][] = [];

  constructor({ each, oneOf = [], instead }: TextFields) {
    this.#each = Object.entries(each).map(([name, kind]) => counted(name, kind));
    this.#oneOf = oneOf.map((name) => counted(name, 'text'));
    this.#instead = instead === undefined ? [] : [counted(instead, 'text')];
    for (const one of [...this.#each, ...this.#oneOf, ...this.#instead])
      (this.#byFirst[one.key[1] ?? 0] ??= []).push(one);
  }

  /** Texts that are not empty. */
  get pieces(): number {
    return this.#sum('pieces');
  }

  get bytes(): number {
    return this.#sum('bytes');
  }

  /** Whole events, or a value. A key inside a JSON string has its quotes escaped, so what looks like a key is one. */
  add(bytes: Buffer): void {
    const { length } = bytes;
    for (let at = 0; at < length; at++) {
      if (bytes[at] !== QUOTE) continue;
      const field = this.#byFirst[bytes[at + 1] ?? 0]?.find(({ key }) => standsAt(bytes, at, key));
      if (field === undefined) continue;
      const start = valueStart(bytes, at + field.key.length);
      if (start !== undefined) at = count(field, bytes, start) - 1;
    }
  }

  #sum(what: 'pieces' | 'bytes'): number {
    const shown = this.#oneOf.reduce((most, one) => Math.max(most, one[what]), 0);
    const hidden = shown > 0 ? 0 : (this.#instead[0]?.[what] ?? 0);
    return this.#each.reduce((sum, one) => sum + one[what], shown + hidden);
  }
}

/** Bytes of text in a whole value. */
export function countText(bytes: Buffer, fields: TextFields): number {
  const counter = new TextCounter(fields);
  counter.add(bytes);
  return counter.bytes;
}

function counted(name: string, kind: TextKind): Counted {
  return { key: Buffer.from(`"${name}"`), kind, pieces: 0, bytes: 0 };
}

/** Adds the value that begins here; returns where to go on. */
function count(field: Counted, bytes: Buffer, start: number): number {
  const isText = bytes[start] === QUOTE;
  if (field.kind === 'skip') return endOfValue(bytes, start);
  if (field.kind === 'value' && !isText) {
    const end = endOfValue(bytes, start);
    return noted(field, end - start, end);
  }
  if (!isText) return start;
  let size = 0;
  let at = start + 1;
  for (; at < bytes.length && bytes[at] !== QUOTE; at++, size++) {
    if (bytes[at] !== BACKSLASH || bytes[++at] !== LOWER_U) continue;
    at += 4;
    size += ESCAPED_BYTES - 1;
  }
  return noted(field, field.kind === 'image' && size > 0 ? IMAGE_BYTES : size, at + 1);
}

function noted(field: Counted, size: number, end: number): number {
  if (size > 0) field.pieces++;
  field.bytes += size;
  return end;
}

/** Behind an object, an array or a text; the very place for all else. What never closes ends with the bytes. */
function endOfValue(bytes: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfText(bytes, at);
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth--;
    if (depth <= 0) return byte === QUOTE || byte === CLOSE_OBJECT || byte === CLOSE_ARRAY ? at + 1 : start;
  }
  return bytes.length;
}

/** The closing quote of the text whose opening one stands here. */
function endOfText(bytes: Buffer, quote: number): number {
  let at = quote + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

function standsAt(bytes: Buffer, at: number, key: Buffer): boolean {
  for (let index = 0; index < key.length; index++) if (bytes[at + index] !== key[index]) return false;
  return true;
}

/** First byte of the value behind a key; undefined behind what is no key. */
function valueStart(bytes: Buffer, from: number): number | undefined {
  let at = from;
  while (bytes[at] === SPACE) at++;
  if (bytes[at] !== COLON) return undefined;
  do at++;
  while (bytes[at] === SPACE);
  return at;
}
