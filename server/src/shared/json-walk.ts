// Walks over JSON that was scanned before and is known to be good, down to where a visitor wants to look. Values are not
// built; what the visitor does not go into is passed by.

/** Where long texts of a body end, so that nobody walks over them twice. */
export interface LongTexts {
  /** By where they begin, in bytes of a body that these bytes may be a part of. */
  readonly ends: ReadonlyMap<number, number>;
  /** Where the part begins. */
  readonly offset: number;
}

export interface JsonVisitor {
  /** A field of an object. Says whether its value, if it is an object or an array, is walked into. */
  field(name: string, value: JsonSpot): boolean;
  /** Behind the value that was walked into. */
  leave(): void;
  /** The next value of an array that is walked into. */
  element(index: number, value: JsonSpot): boolean;
}

export interface ScannedJson {
  readonly bytes: Buffer;
  /** Where long texts end, as the scan found them: they are not walked over again. */
  readonly texts?: LongTexts | undefined;
}

/** The first byte of a value. */
export interface JsonSpot {
  readonly json: ScannedJson;
  readonly start: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const SPACE = 0x20;
/** Texts of this length are looked through by hand: for those a search of the buffer's own costs more. */
const SHORT_TEXT = 64;
/** And so many bytes behind an escaped quote, since many more may follow. */
const NEAR_QUOTE = 256;
/** Longer names are given to the visitor cut, with their escapes: nobody looks for one, and to decode them takes time. */
const LONGEST_NAME = 256;

/** Behind the value that begins at `start`. */
export function walkJson(json: ScannedJson, start: number, visitor: JsonVisitor): number {
  const first = json.bytes[start];
  if (first === OPEN_OBJECT) return walkObject(json, start, visitor);
  return first === OPEN_ARRAY ? walkArray(json, start, visitor) : skipValue(json, start);
}

function walkObject(json: ScannedJson, start: number, visitor: JsonVisitor): number {
  const { bytes } = json;
  let position = skipSpace(bytes, start + 1);
  while (bytes[position] !== CLOSE_OBJECT) {
    const nameEnd = skipText(json, position);
    const name = readName(bytes, position, nameEnd);
    let value = skipSpace(bytes, nameEnd);
    if (bytes[value] === COLON) value = skipSpace(bytes, value + 1);
    position = visit(json, value, visitor, visitor.field(name, { json, start: value }));
    position = skipSpace(bytes, position);
    if (bytes[position] === COMMA) position = skipSpace(bytes, position + 1);
  }
  return position + 1;
}

function walkArray(json: ScannedJson, start: number, visitor: JsonVisitor): number {
  const { bytes } = json;
  let position = skipSpace(bytes, start + 1);
  for (let index = 0; bytes[position] !== CLOSE_ARRAY; index++) {
    position = visit(json, position, visitor, visitor.element(index, { json, start: position }));
    position = skipSpace(bytes, position);
    if (bytes[position] === COMMA) position = skipSpace(bytes, position + 1);
  }
  return position + 1;
}

function visit(json: ScannedJson, start: number, visitor: JsonVisitor, goIn: boolean): number {
  const end = goIn ? walkJson(json, start, visitor) : skipValue(json, start);
  visitor.leave();
  return end;
}

function skipValue(json: ScannedJson, start: number): number {
  const { bytes } = json;
  const first = bytes[start] as number;
  if (first === QUOTE) return skipText(json, start);
  if (first !== OPEN_OBJECT && first !== OPEN_ARRAY) return skipScalar(bytes, start);
  let depth = 0;
  for (let position = start; ;) {
    const byte = bytes[position] as number;
    if (byte === QUOTE) position = skipText(json, position);
    else {
      if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++;
      else if ((byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) && --depth === 0) return position + 1;
      position++;
    }
  }
}

/** The text that begins with a quote here; null where it takes more than `most` bytes, undefined for any other value. */
export function readString({ json: { bytes }, start }: JsonSpot, most: number): string | null | undefined {
  if (bytes[start] !== QUOTE) return undefined;
  const last = start + 1 + most;
  let position = start + 1;
  while (position <= last && bytes[position] !== QUOTE) position += bytes[position] === BACKSLASH ? 2 : 1;
  return position > last ? null : decode(bytes, start + 1, position);
}

function readName(bytes: Buffer, start: number, end: number): string {
  if (end - start > LONGEST_NAME) return `${bytes.toString('latin1', start + 1, start + SHORT_TEXT)}...`;
  return decode(bytes, start + 1, end - 1);
}

function decode(bytes: Buffer, start: number, end: number): string {
  const raw = bytes.toString('utf8', start, end);
  return raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw;
}

/** Behind the text that begins with a quote at `start`. */
export function skipText({ bytes, texts }: ScannedJson, start: number): number {
  let position = start + 1;
  let far = position + SHORT_TEXT;
  let isLooked = false;
  for (;;) {
    while (position < far && bytes[position] !== QUOTE) {
      if (bytes[position] === BACKSLASH) position++;
      position++;
    }
    if (position < far) return position + 1;
    if (!isLooked && texts !== undefined) {
      isLooked = true;
      const end = texts.ends.get(start + texts.offset);
      if (end !== undefined) return end - texts.offset;
    }
    const quote = bytes.indexOf(QUOTE, position);
    let escapes = 0;
    while (quote - 1 - escapes >= position && bytes[quote - 1 - escapes] === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return quote + 1;
    position = quote + 1;
    far = position + NEAR_QUOTE;
  }
}

function skipScalar(bytes: Buffer, start: number): number {
  let position = start;
  for (;;) {
    const byte = bytes[position];
    if (byte === undefined || byte <= SPACE || byte === COMMA || byte === CLOSE_ARRAY || byte === CLOSE_OBJECT)
      return position;
    position++;
  }
}

function skipSpace(bytes: Buffer, start: number): number {
  let position = start;
  while ((bytes[position] as number) <= SPACE) position++;
  return position;
}
