// The fields of an image request that have a fixed type (spec 2.8). All others are passed on unread, and null always counts
// as absent.
import {
  ANY,
  BOOLEAN,
  INTEGER,
  STRING,
  STRING_OR_ARRAY,
  type WireField,
  type WireFields,
  wireTable,
} from '../json/json-request.ts';

const generation = wireTable([
  ['model', STRING, 'fixed'],
  ['prompt', STRING, 'fixed'],
  ['n', INTEGER, 'fixed'], // the price goes by this one and the next three
  ['size', STRING, 'fixed'],
  ['quality', STRING, 'fixed'],
  ['response_format', STRING, 'fixed'],
  ['stream', BOOLEAN, 'fixed'],
  ['watermark', BOOLEAN, 'decides'],
  ['partial_images', ANY],
]);
export const { fields: generationFields, deciding: decidingFields } = generation;
export const fixedFields: ReadonlySet<string> = new Set([...generation.fixed, 'image', 'images', 'image[]']);

/** By address, or as newer upstreams name them: `{image_url}`, `{file_id}`. */
const PICTURES: WireField = {
  ...STRING_OR_ARRAY,
  items: { kinds: ['string', 'object'], expected: 'a string or an object' },
};

export const editFields: WireFields = new Map([
  ...generationFields,
  ['image', PICTURES],
  ['images', PICTURES],
  ['mask', ANY],
]);

/** How a form names the images to edit (spec 2.8). */
export const EDITED_NAME = /^images?(?:\[\d{0,4}\])?$/;

/** How a form names its images (spec 8). */
export const IMAGE_NAME = /^image(?:\[\d{0,4}\])?$/;

export const IMAGES_BRACKETED = /^images?\[\d{0,4}\]$/;

export const MAX_IMAGES = 128;
