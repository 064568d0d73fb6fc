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
} from '../json/json-request.ts';

export const generationFields: WireFields = new Map([
  ['model', STRING],
  ['prompt', STRING],
  ['n', INTEGER],
  ['size', STRING],
  ['quality', STRING],
  ['response_format', STRING],
  ['stream', BOOLEAN],
  ['watermark', BOOLEAN],
  ['partial_images', ANY],
]);

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

/** Fields that decide the route, the money or the form of the answer: given twice, readers could disagree on them. */
export const decidingFields: readonly string[] = [
  'model',
  'prompt',
  'n',
  'size',
  'quality',
  'response_format',
  'stream',
  'watermark',
];

/** Fields a channel may never filter out: without them the request is another one. */
export const fixedFields: ReadonlySet<string> = new Set(
  'model prompt stream image images image[] n size quality response_format'.split(' '), // the price goes by the last four
);

/** How a form names the images to edit (spec 2.8). */
export const EDITED_NAME = /^images?(?:\[\d{0,4}\])?$/;

/** How a form names its images (spec 8). */
export const IMAGE_NAME = /^image(?:\[\d{0,4}\])?$/;

export const IMAGES_BRACKETED = /^images?\[\d{0,4}\]$/;

export const MAX_IMAGES = 128;
