// Walks over JSON that was scanned before and is known to be good, down to where a visitor wants to look. Values are not
// built; what the visitor does not go into is passed by.
export interface JsonVisitor {
  /** A field of an object. Says whether its value, if it is an object or an array, is walked into. */
  field(name: string, value: JsonSpot): boolean;
  /** Behind the value that was walked into. */
  leave(): void;
  /** The next value of an array that is walked into. */
  element(index: number, value: JsonSpot): boolean;
}

/** The first byte of a value. */
export interface JsonSpot {
  readonly bytes: Buffer;
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

/** Behind the value that begins at `start`. */
export function walkJson(bytes: Buffer, start: number, visitor: JsonVisitor): number {
  if (bytes[start] === OPEN_OBJECT) return walkObject(bytes, start, visitor);
  return bytes[start] === OPEN_ARRAY ? walkArray(bytes, start, visitor) : skipValue(bytes, start);
}

function walkObject(bytes: Buffer, start: number, visitor: JsonVisitor): number {
  let position = skipSpace(bytes, start + 1);
  while (bytes[position] !== CLOSE_OBJECT) {
    const nameEnd = skipText(bytes, position);
    const name = readText(bytes, position);
    let value = skipSpace(bytes, nameEnd);
    if (bytes[value] === COLON) value = skipSpace(bytes, value + 1);
    position = visit(bytes, value, visitor, visitor.field(name, { bytes, start: value }));
    position = skipSpace(bytes, position);
    if (bytes[position] === COMMA) position = skipSpace(bytes, position + 1);
  }
  return position + 1;
}

function walkArray(bytes: Buffer, start: number, visitor: JsonVisitor): number {
  let position = skipSpace(bytes, start + 1);
  for (let index = 0; bytes[position] !== CLOSE_ARRAY; index++) {
    position = visit(bytes, position, visitor, visitor.element(index, { bytes, start: position }));
    position = skipSpace(bytes, position);
    if (bytes[position] === COMMA) position = skipSpace(bytes, position + 1);
  }
  return position + 1;
}

function visit(bytes: Buffer, start: number, visitor: JsonVisitor, goIn: boolean): number {
  const end = goIn ? walkJson(bytes, start, visitor) : skipValue(bytes, start);
  visitor.leave();
  return end;
}

export function skipValue(bytes: Buffer, start: number): number {
  const first = bytes[start] as number;
  if (first === QUOTE) return skipText(bytes, start);
  if (first !== OPEN_OBJECT && first !== OPEN_ARRAY) return skipScalar(bytes, start);
  let depth = 0;
  for (let position = start; ;) {
    const byte = bytes[position] as number;
    if (byte === QUOTE) position = skipText(bytes, position);
    else {
      if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++;
      else if ((byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) && --depth === 0) return position + 1;
      position++;
    }
  }
}

/** The text that begins with a quote here; undefined for any other value. */
export function readString({ bytes, start }: JsonSpot): string | undefined {
  return bytes[start] === QUOTE ? readText(bytes, start) : undefined;
}

function readText(bytes: Buffer, start: number): string {
  const raw = bytes.toString('utf8', start + 1, skipText(bytes, start) - 1);
  return raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw;
}

function skipText(bytes: Buffer, start: number): number {
  let position = start + 1;
  const far = position + SHORT_TEXT;
  for (;;) {
    while (position < far && bytes[position] !== QUOTE && bytes[position] !== BACKSLASH) position++;
    if (bytes[position] === QUOTE) return position + 1;
    if (bytes[position] === BACKSLASH) {
      position += 2;
      if (position < far) continue;
    }
    const quote = bytes.indexOf(QUOTE, position);
    let escapes = 0;
    while (quote - 1 - escapes >= position && bytes[quote - 1 - escapes] === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return quote + 1;
    position = quote + 1;
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
