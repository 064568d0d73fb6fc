// The content list of a task of family beta: the media, then the one text (spec 2.5, contract 5).
import { invalidRequest } from '../../errors/gateway-error.ts';
import type { VideoRequest } from '../../neutral/video.ts';
import { type Metadata, metadataValue, readArray, readObject, readText } from '../metadata-values.ts';

export interface ContentItem {
  type: string;
  [field: string]: unknown;
}

/** Types whose payload is an object of the type's own name, with the address in `url`. */
const PAYLOADS = ['image_url', 'video_url', 'audio_url'];

export function writeContent(request: VideoRequest): ContentItem[] {
  const media = statedMedia(request.metadata) ?? imagesOf(request).map(imageItem);
  return [...media, { type: 'text', text: request.prompt }];
}

/** Decided from what is really sent, never from what metadata declares (spec 2.5, billing). */
export function holdsVideo(content: readonly ContentItem[]): boolean {
  return content.some(({ type }) => type === 'video_url');
}

/** Task-style clients have no other field for a picture than `input_reference`. */
function imagesOf({ images, inputReference }: VideoRequest): readonly string[] {
  return images.length > 0 || inputReference === undefined ? images : [inputReference];
}

function imageItem(url: string): ContentItem {
  return { type: 'image_url', image_url: { url } };
}

/** Rule 7: a list that is provided replaces the images, also when it is empty; texts in it are ignored. */
function statedMedia(metadata: Metadata): ContentItem[] | undefined {
  const stated = metadataValue(metadata, 'content');
  if (stated === undefined) return undefined;
  return readArray(stated, 'metadata.content').flatMap((value, index) => {
    const field = `metadata.content[${index}]`;
    const item = readObject(value, field);
    const type = readText(item['type'], `${field}.type`);
    if (type === 'text') return [];
    if (!PAYLOADS.includes(type))
      throw invalidRequest(`'${field}.type' must be one of ${PAYLOADS.join(', ')} or text.`, `${field}.type`);
    const role = metadataValue(item, 'role');
    if (role !== undefined) readText(role, `${field}.role`);
    return [readItem(type, item, field)];
  });
}

/**
 * Items stay as they are, but for payloads that are not their own: an address of a video inside an image would make the
 * task cheaper and be ignored.
 */
function readItem(type: string, item: Metadata, field: string): ContentItem {
  const foreign = foreignPayloads({ ...item, type });
  const own = Object.entries(item).filter(([name]) => !foreign.includes(name));
  requireAddress(item[type], `${field}.${type}`);
  return { ...Object.fromEntries(own), type };
}

/** Names of payloads in an item that are of another type than it. */
export function foreignPayloads(item: ContentItem): string[] {
  return PAYLOADS.filter((name) => name !== item.type && Object.hasOwn(item, name));
}

/** Of the image, video or sound that an item is; undefined when it is something else. */
export function addressOf(item: ContentItem): string | undefined {
  const payload = PAYLOADS.includes(item.type) ? item[item.type] : undefined;
  return payload === undefined ? undefined : String((payload as { url: unknown }).url);
}

function requireAddress(payload: unknown, field: string): void {
  const url = readText(readObject(payload, field)['url'], `${field}.url`);
  if (url.trim() === '') throw invalidRequest(`'${field}.url' must not be empty.`, `${field}.url`);
}
