// Reads from the bytes of a chat request what routing, the hold and the answer's form need. The bytes themselves are what
// is sent, so everything here that decides must have one meaning only.
import { invalidRequest } from '../../errors/gateway-error.ts';
import { arrayIsEmpty, JsonSyntaxError, readField, scanJsonObject } from '../../shared/json-fields.ts';
import type { JsonEntry, JsonField, JsonObject } from '../../shared/json-fields.ts';
import { chatFields, decidingFields, MAX_CHOICES } from './wire.ts';

export interface ChatRequest {
  json: JsonObject;
  model: string;
  stream: boolean;
  /** The caller set stream_options.include_usage. */
  asksUsage: boolean;
  /** max_completion_tokens, else max_tokens. */
  maxOutputTokens: number | undefined;
  /** How many answers are asked for (`n`). */
  choices: number;
  /** Bytes of the body without embedded media. */
  inputBytes: number;
  mediaCount: number;
}

/** Throws invalid_request for anything spec 2.10 does not allow. */
export function readChatRequest(bytes: Buffer): ChatRequest {
  const json = scanBody(bytes);
  for (const entry of json.entries) checkEntry(entry);
  if (json.duplicates.size > 0) refuseDuplicates(json, decidingFields);
  const model = readModel(json);
  checkMessages(json);
  const maxTokens = readWhole(json, 'max_tokens', Number.MAX_SAFE_INTEGER);
  const maxCompletionTokens = readWhole(json, 'max_completion_tokens', Number.MAX_SAFE_INTEGER);
  return {
    json,
    model,
    stream: readField(json, 'stream') === true,
    asksUsage: readAsksUsage(json),
    maxOutputTokens: maxCompletionTokens ?? maxTokens,
    choices: readWhole(json, 'n', MAX_CHOICES) ?? 1,
    inputBytes: bytes.length - json.opaque.bytes,
    mediaCount: json.opaque.count,
  };
}

/** The field with this name; one that is null counts as absent. */
function presentField(json: JsonObject, name: string): JsonField | undefined {
  const field = json.fields.get(name);
  return field?.kind === 'null' ? undefined : field;
}

function scanBody(bytes: Buffer): JsonObject {
  try {
    return scanJsonObject(bytes);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw invalidRequest(`The body is not valid JSON: ${error.message}.`);
  }
}

function checkEntry({ name, kind }: JsonEntry): void {
  const field = chatFields.get(name);
  if (field === undefined) refuseLookalike(name, chatFields);
  else if (kind !== 'null' && !field.kinds.includes(kind)) {
    throw invalidRequest(`'${name}' must be ${field.expected}.`, name);
  }
}

/** Some upstreams compare names without case: `Model` beside `model` would be one field to us and another to them. */
function refuseLookalike(name: string, known: { has(name: string): boolean }): void {
  // Upper case first: it also folds the long s (U+017F), which such upstreams take for an s.
  const folded = name.toUpperCase().toLowerCase();
  if (folded !== name && known.has(folded)) throw invalidRequest(`'${name}' must be written '${folded}'.`, folded);
}

function refuseDuplicates(json: JsonObject, names: readonly string[], prefix = ''): void {
  for (const name of names) {
    if (!json.duplicates.has(name)) continue;
    throw invalidRequest(`'${prefix}${name}' is given more than once.`, `${prefix}${name}`);
  }
}

function readModel(json: JsonObject): string {
  const model = readField(json, 'model');
  if (typeof model !== 'string' || model === '') throw invalidRequest("'model' is required.", 'model');
  return model;
}

function checkMessages(json: JsonObject): void {
  const messages = presentField(json, 'messages');
  if (messages !== undefined) {
    if (arrayIsEmpty(json, messages)) throw invalidRequest("'messages' must not be empty.", 'messages');
    return;
  }
  // Spec 2.10: fill-in-the-middle models may use prefix and suffix instead.
  if (presentField(json, 'prefix') !== undefined || presentField(json, 'suffix') !== undefined) return;
  throw invalidRequest("'messages' is required.", 'messages');
}

function readWhole(json: JsonObject, name: string, max: number): number | undefined {
  if (presentField(json, name) === undefined) return undefined;
  const value = readField(json, name);
  if (Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= max) return value as number;
  const range = max === Number.MAX_SAFE_INTEGER ? 'of at least 1' : `from 1 to ${max}`;
  throw invalidRequest(`'${name}' must be a whole number ${range}.`, name);
}

const STREAM_OPTION_NAMES = ['include_usage'];
const STREAM_OPTIONS_KNOWN = new Set(STREAM_OPTION_NAMES);

function readAsksUsage(json: JsonObject): boolean {
  const field = presentField(json, 'stream_options');
  if (field === undefined) return false;
  const options = scanJsonObject(json.bytes.subarray(field.valueStart, field.valueEnd));
  refuseDuplicates(options, STREAM_OPTION_NAMES, 'stream_options.');
  for (const { name } of options.entries) refuseLookalike(name, STREAM_OPTIONS_KNOWN);
  const asked = readField(options, 'include_usage');
  if (asked === undefined || asked === null) return false;
  if (typeof asked === 'boolean') return asked;
  throw invalidRequest("'stream_options.include_usage' must be true or false.", 'stream_options.include_usage');
}
