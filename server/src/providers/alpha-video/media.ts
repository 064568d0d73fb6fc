// The media of a task of family alpha: where they are found, and whether they are what the model takes (spec 2.6).
import { invalidRequest } from '../../errors/gateway-error.ts';
import type { VideoRequest } from '../../neutral/video.ts';
import { metadataValue, readArray, readObject, readText } from '../metadata-values.ts';
import type { Capability, MediaType } from './capability.ts';

export interface MediaItem {
  type: MediaType;
  url: string;
}

interface Found {
  items: MediaItem[];
  /** The field they came from, for the caller to read. */
  field: string;
}

const TYPES: readonly MediaType[] = ['first_frame', 'reference_image', 'video'];

export function readMedia(request: VideoRequest, capability: Capability): MediaItem[] {
  const { items, field } = statedMedia(request) ?? impliedMedia(request, capability);
  const refuse = (problem: string) => invalidRequest(`The model "${request.model}" ${problem}.`, field);
  if (Object.keys(capability.media).length === 0 && items.length > 0)
    throw refuse(`makes videos from the prompt alone: '${field}' is not accepted`);
  for (const { type } of items) {
    if (capability.media[type] === undefined) throw refuse(`does not take media of type ${type} ('${field}')`);
  }
  for (const type of TYPES) {
    const limits = capability.media[type];
    const count = items.filter((item) => item.type === type).length;
    if (limits === undefined || (count >= limits.least && count <= limits.most)) continue;
    throw refuse(`takes ${words(limits)} media of type ${type}, and '${field}' has ${count}`);
  }
  return items;
}

/** Media that say themselves what they are for (rule 1); undefined when there are none. */
function statedMedia({ metadata }: VideoRequest): Found | undefined {
  const field = 'metadata.media';
  const stated = metadataValue(metadata, 'media');
  if (stated === undefined) return undefined;
  const items = readArray(stated, field);
  if (items.length === 0) return undefined;
  return { items: items.map((item, index) => readItem(item, `${field}[${index}]`)), field };
}

function readItem(value: unknown, field: string): MediaItem {
  const item = readObject(value, field);
  const type = TYPES.find((one) => one === item['type']);
  if (type === undefined) throw invalidRequest(`'${field}.type' must be one of ${TYPES.join(', ')}.`, `${field}.type`);
  return { type, url: checkAddress(readText(item['url'], `${field}.url`), `${field}.url`) };
}

/**
 * Media in the plain fields, which say by the capability what they are for (rules 2 and 3). The first field that has any
 * decides; what stands in the others is left out.
 */
function impliedMedia(request: VideoRequest, { name }: Capability): Found {
  const reference: Source = {
    field: 'input_reference',
    urls: request.inputReference === undefined ? [] : [request.inputReference],
  };
  const images = imagesOf(request);
  switch (name) {
    case 't2v':
      return itemsOf(images.urls.length > 0 ? images : reference, 'reference_image');
    case 'i2v': {
      const image: Source = { field: 'image', urls: request.image === undefined ? [] : [request.image] };
      return itemsOf([reference, image, images].find(({ urls }) => urls.length > 0) ?? image, 'first_frame');
    }
    case 'r2v':
      return itemsOf(images.urls.length > 0 || reference.urls.length === 0 ? images : reference, 'reference_image');
    case 'video-edit':
      return { items: [], field: 'metadata.media' };
  }
}

interface Source {
  field: string;
  urls: readonly string[];
}

function imagesOf({ image, images }: VideoRequest): Source {
  const isFolded = image !== undefined && images.length === 1 && images[0] === image;
  return { field: isFolded ? 'image' : 'images', urls: images };
}

function itemsOf({ field, urls }: Source, type: MediaType): Found {
  return { items: urls.map((url) => ({ type, url: checkAddress(url, field) })), field };
}

function checkAddress(text: string, field: string): string {
  const url = text.trim();
  if (/^data:./i.test(url) || (/^https?:\/\//i.test(url) && URL.canParse(url))) return url;
  throw invalidRequest(`'${field}' must be an address that begins with http://, https:// or data:.`, field);
}

function words({ least, most }: { least: number; most: number }): string {
  if (least === most) return `exactly ${least}`;
  return least === 0 ? `at most ${most}` : `${least} to ${most}`;
}
