// Changes top-level fields of a scanned JSON object in its bytes, so that everything else is sent as it came.
import { foldName } from './fold-name.ts';
import { type JsonEntry, type JsonObject, knowTexts } from './json-fields.ts';

export interface JsonChanges {
  /** Name -> JSON text: replaces the value of every occurrence, or adds the field at the end. */
  set?: Readonly<Record<string, string>>;
  /** Names taken out, every occurrence of them in letters of any case; wins over `set`. */
  remove?: readonly string[];
}

const OPEN_OBJECT = 0x7b;

/** The changed text; the very same buffer when there is nothing to change. */
export function rewriteJsonObject(object: JsonObject, changes: JsonChanges): Buffer {
  const pieces = rewriteInPieces(object, changes);
  const [only] = pieces;
  if (only !== undefined && pieces.length === 1) return only;
  const whole = Buffer.concat(pieces);
  if (object.texts !== undefined) knowTexts(whole, movedTexts(object, pieces));
  return whole;
}

/** Where the long texts of an object stand when it is made up of these pieces. */
function movedTexts({ bytes, texts }: JsonObject, pieces: readonly Buffer[]): Map<number, number> {
  const moved = new Map<number, number>();
  const { ends = new Map<number, number>(), offset = 0 } = texts ?? {};
  let to = 0;
  for (const piece of pieces) {
    const from = piece.buffer === bytes.buffer ? piece.byteOffset - bytes.byteOffset : -1;
    if (from >= 0 && from < bytes.length)
      for (const [start, end] of ends)
        if (start - offset >= from && end - offset <= from + piece.length)
          moved.set(start - offset - from + to, end - offset - from + to);
    to += piece.length;
  }
  return moved;
}

/** The same as the pieces that make it up: most of them are parts of the buffer that came. */
export function rewriteInPieces(object: JsonObject, changes: JsonChanges): Buffer[] {
  const removed = namesIn(object, changes.remove ?? NO_NAMES);
  const texts = new Map<string, Buffer>();
  for (const [name, text] of Object.entries(changes.set ?? {})) {
    if (!removed.has(name)) texts.set(name, Buffer.from(text));
  }
  if (!object.entries.some((entry) => entryChanges(object, entry, texts, removed)) && allPresent(object, texts)) {
    return [object.bytes];
  }
  return cutPieces(object, texts, removed);
}

const NO_NAMES: readonly string[] = [];

/** These names, and those of fields that an upstream which compares without case would take for one of them. */
function namesIn({ entries }: JsonObject, names: readonly string[]): ReadonlySet<string> {
  const found = new Set(names);
  if (found.size === 0) return found;
  const folded = new Set(names.map(foldName));
  for (const { name } of entries) if (folded.has(foldName(name))) found.add(name);
  return found;
}

function entryChanges(
  { bytes }: JsonObject,
  entry: JsonEntry,
  texts: ReadonlyMap<string, Buffer>,
  removed: ReadonlySet<string>,
): boolean {
  if (removed.has(entry.name)) return true;
  const text = texts.get(entry.name);
  return text !== undefined && !text.equals(bytes.subarray(entry.valueStart, entry.valueEnd));
}

function allPresent({ fields }: JsonObject, texts: ReadonlyMap<string, Buffer>): boolean {
  for (const name of texts.keys()) {
    if (!fields.has(name)) return false;
  }
  return true;
}

/** A removed field goes with the comma behind it; the last ones go with the comma before them. */
function cutPieces(object: JsonObject, texts: ReadonlyMap<string, Buffer>, removed: ReadonlySet<string>): Buffer[] {
  const { bytes, entries, fields } = object;
  const pieces: Buffer[] = [];
  let copied = 0;
  const copyTo = (end: number): void => {
    if (end > copied) pieces.push(bytes.subarray(copied, end));
    copied = end;
  };
  /** Behind the last value kept. */
  let keptEnd = 0;
  let kept = false;
  let pending: JsonEntry | undefined;
  for (const entry of entries) {
    if (removed.has(entry.name)) {
      pending ??= entry;
      continue;
    }
    if (pending !== undefined) {
      copyTo(pending.entryStart);
      copied = entry.entryStart;
      pending = undefined;
    }
    const text = texts.get(entry.name);
    if (text !== undefined) {
      copyTo(entry.valueStart);
      pieces.push(text);
      copied = entry.valueEnd;
    }
    keptEnd = entry.valueEnd;
    kept = true;
  }
  copyTo(kept ? keptEnd : bytes.indexOf(OPEN_OBJECT) + 1);
  for (const [name, text] of texts) {
    if (fields.has(name)) continue;
    pieces.push(Buffer.from(`${kept ? ',' : ''}${JSON.stringify(name)}:`), text);
    kept = true;
  }
  if (pending !== undefined) copied = entries.at(-1)?.valueEnd ?? copied;
  copyTo(bytes.length);
  return pieces;
}
