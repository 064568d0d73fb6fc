// Reads from an image request, JSON or form, what routing, the hold and the answer's form need (spec 2.8).
import { invalidRequest } from '../../errors/gateway-error.ts';
import type { Form, FormPart } from '../../neutral/form.ts';
import { arrayLength, type JsonObject, readField } from '../../shared/json-fields.ts';
import {
  checkForm,
  formFlag,
  formText,
  formTextBytes,
  formWhole,
  isMedia,
  requireFormText,
  sizeOf,
} from '../json/form-request.ts';
import {
  presentField,
  readJsonBody,
  readModel,
  readValue,
  readWhole,
  requireText,
  inputSize,
  type WireFields,
} from '../json/json-request.ts';
import type { Given } from '../json/json-value.ts';
import type { ReadRequest } from '../protocol.ts';
import {
  decidingFields,
  EDITED_NAME,
  editFields,
  generationFields,
  IMAGE_NAME,
  IMAGES_BRACKETED,
  MAX_IMAGES,
} from './wire.ts';

export type ImageRequest = Omit<ReadRequest, 'json'>;

export function readGenerationRequest(bytes: Buffer): ReadRequest {
  const request = readImageJson(bytes, generationFields);
  requireText(request.json, 'prompt'); // spec 2.8: required for generation
  return request;
}

/** Edits in JSON name their images by address. */
export function readEditRequest(bytes: Buffer): ReadRequest {
  const request = readImageJson(bytes, editFields);
  const images = countImages(request.json, 'image') + countImages(request.json, 'images');
  if (images === 0) throw invalidRequest("'image' is required.", 'image');
  return { ...request, mediaCount: Math.max(images, request.mediaCount) };
}

function readImageJson(bytes: Buffer, fields: WireFields): ReadRequest {
  const json = readJsonBody(bytes, fields, decidingFields);
  const model = readModel(json);
  return {
    json,
    ...wantedOf({
      model,
      stream: readField(json, 'stream') === true,
      count: readWhole(json, 'n', MAX_IMAGES),
      size: optionalText(json, 'size'),
      quality: optionalText(json, 'quality'),
    }),
    ...inputSize(json),
  };
}

function optionalText(json: JsonObject, name: string): string | undefined {
  return presentField(json, name) === undefined ? undefined : (readValue(json, name) as string);
}

/** Its quotes. */
const EMPTY_TEXT = 2;

function countImages(json: JsonObject, name: string): number {
  const field = presentField(json, name);
  if (field === undefined) return 0;
  if (field.kind === 'array') return arrayLength(json, name);
  return field.valueEnd - field.valueStart === EMPTY_TEXT ? 0 : 1;
}

const EDIT_FORM = {
  known: new Set(editFields.keys()),
  lists: new Set(['image', 'images']),
  bracketed: IMAGES_BRACKETED,
};

export function readEditForm(form: Form): ImageRequest {
  checkForm(form, EDIT_FORM);
  const model = requireFormText(form, 'model');
  for (const name of ['prompt', 'response_format']) formText(form, name); // refuses a file
  formFlag(form, 'watermark');
  if (!form.parts.some((part) => EDITED_NAME.test(part.name) && sizeOf(part) > 0))
    throw invalidRequest("'image' is required.", 'image');
  return {
    ...wantedOf({
      model,
      stream: formFlag(form, 'stream'),
      count: formWhole(form, 'n', MAX_IMAGES),
      size: formText(form, 'size'),
      quality: formText(form, 'quality'),
    }),
    inputBytes: formTextBytes(form),
    mediaCount: form.parts.filter((part) => isMedia(part) && sizeOf(part) > 0).length,
  };
}

/** One picture, and nothing said of it. */
export function readVariationForm(form: Form): ImageRequest {
  const request = readEditForm(form);
  for (const name of NOT_VARIED)
    if (form.parts.some((part) => part.name === name && sizeOf(part) > 0))
      throw invalidRequest(`'${name}' cannot be sent here.`, name);
  if (form.parts.filter(isImage).length > 1) throw invalidRequest("'image' must be one picture.", 'image');
  return request;
}

const NOT_VARIED = ['prompt', 'mask', 'images', 'stream'];

/** A file, or the address of an image or all of it as text. */
function isImage(part: FormPart): boolean {
  return IMAGE_NAME.test(part.name) && sizeOf(part) > 0;
}

type Wanted = Pick<ImageRequest, 'model' | 'stream'> & Given<NonNullable<ImageRequest['images']>>;

function wantedOf(wanted: Wanted): Omit<ImageRequest, 'inputBytes' | 'mediaCount'> {
  const { model, stream, count = 1, size, quality } = wanted;
  const images = { count, size: checkSize(size), quality: checkQuality(quality) };
  return { model, stream, maxOutputTokens: undefined, choices: count, images };
}

const PIXELS = /^[1-9]\d{0,4}x[1-9]\d{0,4}$/;
/** `auto` and the like, or a vendor's `2K`. */
const WORD = /^(?:[a-z][a-z_-]{0,31}|[1-9]\d?k)$/i;
const MULTIPLICATION_SIGN = '\u00d7';

/** Size and quality decide the price, so each has one spelling only (spec 2.8). */
function checkSize(size: string | undefined): string | undefined {
  if (size === undefined || PIXELS.test(size) || WORD.test(size)) return size;
  if (size.includes(MULTIPLICATION_SIGN)) {
    throw invalidRequest(
      "'size' is written with the multiplication sign. Use the letter x between width and height, as in 1024x1024.",
      'size',
    );
  }
  throw invalidRequest(
    "'size' must be <width>x<height> with the letter x, as in 1024x1024, or a word such as auto.",
    'size',
  );
}

/** Upstreams may trim what the list of prices does not know. */
const QUALITY = /^[a-z0-9][a-z0-9._-]{0,31}$/i;

function checkQuality(quality: string | undefined): string | undefined {
  if (quality === undefined || QUALITY.test(quality)) return quality;
  throw invalidRequest("'quality' must be a word such as high, without spaces.", 'quality');
}
