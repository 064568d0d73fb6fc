// The content list of a task of MiniMax-H3: media with their roles, then the one text.
import { invalidRequest } from '../../errors/gateway-error.ts';
import type { VideoRequest } from '../../neutral/video.ts';
import { metadataValue, readArray, readObject, readText } from '../metadata-values.ts';
import { picturesOf } from '../video/common-fields.ts';

export interface ContentItem {
  type: string;
  [field: string]: unknown;
}

const PAYLOADS = ['image_url', 'video_url', 'audio_url'];
const FRAMES = ['first_frame', 'last_frame'];

export interface Content {
  items: ContentItem[];
  /** The ratio follows a frame. */
  hasFrame: boolean;
  /** Addresses of the media, as the caller wrote them. */
  sent: readonly string[];
  /** Names of items and fields that are not sent. */
  lost: readonly string[];
}

/** A list in `metadata.content` replaces the pictures; texts in it are left out, since the prompt is the text. */
export function writeContent(request: VideoRequest): Content {
  const stated = metadataValue(request.metadata, 'content');
  const media = stated === undefined ? picturesOf(request).map(pictureItem) : readStated(stated);
  const items = [...media, { type: 'text', text: request.prompt }];
  return {
    items,
    hasFrame: media.some(({ role }) => FRAMES.includes(String(role))),
    sent: media.map((item) => String((item[item.type] as { url: unknown }).url)),
    lost: stated === undefined ? [] : lostOf(stated, request.prompt),
  };
}

/** One picture is the first frame, two are first and last, more are references. */
function pictureItem(url: string, index: number, { length }: readonly string[]): ContentItem {
  const role = length > FRAMES.length ? 'reference_image' : FRAMES[index];
  return { type: 'image_url', image_url: { url }, role };
}

function readStated(stated: unknown): ContentItem[] {
  return readArray(stated, 'metadata.content').flatMap((value, index) => {
    const field = `metadata.content[${index}]`;
    const item = readObject(value, field);
    const type = readText(item['type'], `${field}.type`);
    if (type === 'text') return [];
    if (!PAYLOADS.includes(type))
      throw invalidRequest(`'${field}.type' must be one of ${PAYLOADS.join(', ')} or text.`, `${field}.type`);
    const url = readText(readObject(item[type], `${field}.${type}`)['url'], `${field}.${type}.url`);
    if (url.trim() === '') throw invalidRequest(`'${field}.${type}.url' must not be empty.`, `${field}.${type}.url`);
    const role = metadataValue(item, 'role');
    return [{ type, [type]: { url }, ...(role !== undefined && { role: readText(role, `${field}.role`) }) }];
  });
}

function lostOf(stated: unknown, prompt: string): string[] {
  return (stated as Record<string, unknown>[]).flatMap((item, index) => {
    const at = `metadata.content[${index}]`;
    if (item['type'] === 'text') return item['text'] === prompt ? [] : [at];
    const known = ['type', 'role', String(item['type'])];
    return Object.keys(item)
      .filter((name) => !known.includes(name) && metadataValue(item, name) !== undefined)
      .map((name) => `${at}.${name}`);
  });
}
