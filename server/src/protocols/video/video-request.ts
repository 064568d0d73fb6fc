// What both client shapes of a video task share: the fields of spec 2.1, of the right types, or refused by name.
import { invalidRequest } from '../../errors/gateway-error.ts';
import type { VideoRequest } from '../../neutral/video.ts';
import {
  ANY,
  ARRAY,
  MOST_VALUES,
  presentField,
  readValue,
  STRING,
  STRING_OR_OBJECT,
  type WireField,
  type WireFields,
} from '../json/json-request.ts';
import { type JsonObject, JsonSyntaxError, readField, scanJsonObject } from '../../shared/json-fields.ts';

/** Ours alone, never handed on, and judged where it is used. */
export const WEBHOOK_FIELD = 'webhook_url';
const NUMBER_OR_TEXT: WireField = { kinds: ['number', 'string'], expected: 'a number' };

export const videoFields: WireFields = new Map([
  ['model', STRING],
  ['prompt', STRING],
  ['image', STRING],
  ['images', ARRAY],
  ['metadata', STRING_OR_OBJECT],
  ['seconds', { kinds: ['string', 'number'], expected: 'a string' }],
  ['duration', NUMBER_OR_TEXT],
  ['size', STRING],
  ['mode', STRING],
  ['input_reference', STRING],
  [WEBHOOK_FIELD, ANY],
]);

/** A submit in JSON: what is asked for, and where its webhook goes. */
export function readJsonSubmit(
  read: (body: Buffer) => VideoRequest,
  body: Buffer,
): { request: VideoRequest; webhookUrl: unknown } {
  return { request: read(body), webhookUrl: webhookInJson(body) };
}

export function webhookInJson(body: Buffer): unknown {
  return readValue(scanJsonObject(body), WEBHOOK_FIELD);
}

/** Every field decides something, so none may stand twice. */
export const decidingFields: readonly string[] = [...videoFields.keys()];

/** Pictures as text lie in these, or in what they hold. */
const LARGE: ReadonlySet<string> = new Set(['image', 'images', 'metadata', 'input_reference']);

/** Fields of a body; only those that may hold pictures may be large. */
export function readerOf(json: JsonObject): ReadValue {
  return (name) => (mayBeLarge(json, name) ? readField(json, name) : readValue(json, name));
}

/** JSON in a text is not scanned in slices. */
function mayBeLarge({ fields }: JsonObject, name: string): boolean {
  return LARGE.has(name) && !(name === 'metadata' && fields.get(name)?.kind === 'string');
}

/** The value of a field by its name; undefined or null when absent. */
export type ReadValue = (name: string) => unknown;

/** What each shape reads in its own way. */
export interface ShapeFields {
  inputReference: string | undefined;
  unknown: readonly string[];
}

export function readVideoRequest(read: ReadValue, own: ShapeFields): VideoRequest {
  const prompt = read('prompt');
  // In these very words (spec 2.1, 7); a body with `content[]` alone has no prompt either.
  if (typeof prompt !== 'string' || prompt.trim() === '') throw invalidRequest('prompt is required', 'prompt');
  const model = optionalText(read, 'model');
  if (model === undefined) throw invalidRequest("'model' is required.", 'model');
  const image = optionalText(read, 'image');
  const images = readImages(read('images'));
  return {
    model,
    prompt,
    images: images.length === 0 && image !== undefined ? [image] : images,
    image,
    seconds: readSeconds(read('seconds')),
    duration: readDuration(read('duration')),
    size: optionalText(read, 'size'),
    mode: optionalText(read, 'mode'),
    metadata: readMetadata(read('metadata')),
    ...own,
  };
}

/** Names of fields that are none of these and hold something. */
export function unknownFields(json: JsonObject): string[] {
  return [...json.fields.keys()].filter((name) => !videoFields.has(name) && presentField(json, name) !== undefined);
}

/** An empty text counts as absent: forms send one for a field left blank. */
export function optionalText(read: ReadValue, name: string): string | undefined {
  const value = read(name);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function readImages(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw invalidRequest("'images' must be an array of strings.", 'images');
  return value.map((one: unknown, index) => {
    if (typeof one === 'string' && one.trim() !== '') return one;
    throw invalidRequest(`'images[${index}]' must be a string that is not empty.`, `images[${index}]`);
  });
}

/** Kept as text, whatever it says: each family has its own reading of it. */
function readSeconds(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined;
}

function readDuration(value: unknown): number | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const number = typeof value === 'string' && /^[+-]?\d+$/.test(value.trim()) ? Number(value) : value;
  if (Number.isSafeInteger(number)) return number as number;
  throw invalidRequest("'duration' must be a whole number.", 'duration');
}

/** An object, or one as JSON text (contract 5). */
function readMetadata(value: unknown): Record<string, unknown> {
  if (value === undefined || value === null || value === '') return {};
  const metadata = typeof value === 'string' ? parse(value) : value;
  if (typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata))
    return metadata as Record<string, unknown>;
  throw invalidRequest("'metadata' must be an object, or the JSON text of one.", 'metadata');
}

/** JSON in a text is bounded as the body around it is. */
function parse(text: string): unknown {
  try {
    scanJsonObject(Buffer.from(text), { maxValues: MOST_VALUES });
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError && error.message.startsWith('more than'))
      throw invalidRequest(`'metadata' has ${error.message}.`, 'metadata');
    return undefined;
  }
}
