// Reads one item of `content`: its type, its payload and its role, and nothing besides.
import { isObject, type WireObject } from '../../fields/refuse.ts';
import { refuseField, refuseMissing, refuseOtherFields } from '../error.ts';

export type MediaType = 'image_url' | 'video_url' | 'audio_url';

export type ContentItem =
  | { type: 'text'; text: string }
  | { type: MediaType; role: string | undefined; at: string }
  | { type: 'draft_task'; id: string };

const webAddress = /^(https?|asset):\/\/\S+$/;
const addresses: Readonly<Record<MediaType, readonly RegExp[]>> = {
  image_url: [webAddress, /^data:image\/(jpeg|jpg|png|webp|bmp|tiff|gif|heic|heif);base64,[\w+/]+=*$/],
  video_url: [webAddress],
  audio_url: [webAddress, /^data:audio\/(wav|mp3|mpeg);base64,[\w+/]+=*$/],
};
const roles: Readonly<Record<MediaType, readonly string[]>> = {
  image_url: ['first_frame', 'last_frame', 'reference_image'],
  video_url: ['reference_video'],
  audio_url: ['reference_audio'],
};

export function readContentItem(item: unknown, at: string): ContentItem {
  if (!isObject(item)) refuseField(at, 'expected an object');
  const { type } = item;
  switch (type) {
    case 'text':
      refuseOtherFields(item, ['type', 'text'], `${at}.`);
      if (typeof item['text'] !== 'string') refuseField(`${at}.text`, 'expected a string');
      return { type, text: item['text'] };
    case 'draft_task':
      refuseOtherFields(item, ['type', 'draft_task'], `${at}.`);
      return { type, id: readPayload(item, { type, field: 'id', at }) };
    case 'image_url':
    case 'video_url':
    case 'audio_url':
      return readMedia(item, type, at);
    case undefined:
      return refuseMissing(`${at}.type`);
    default:
      refuseField(`${at}.type`, 'expected text, image_url, video_url, audio_url or draft_task');
  }
}

function readMedia(item: WireObject, type: MediaType, at: string): ContentItem {
  refuseOtherFields(item, ['type', type, 'role'], `${at}.`);
  const url = readPayload(item, { type, field: 'url', at });
  if (addresses[type].every((pattern) => !pattern.test(url))) {
    refuseField(`${at}.${type}.url`, type === 'video_url' ? 'expected a web address' : 'expected an address or data');
  }
  const role = item['role'];
  if (role !== undefined && (typeof role !== 'string' || !roles[type].includes(role))) {
    refuseField(`${at}.role`, `expected ${roles[type].join(', ')}`);
  }
  return { type, role, at };
}

function readPayload(item: WireObject, { type, field, at }: { type: string; field: string; at: string }): string {
  const payload = item[type];
  if (payload === undefined) refuseMissing(`${at}.${type}`);
  if (!isObject(payload)) refuseField(`${at}.${type}`, 'expected an object');
  refuseOtherFields(payload, [field], `${at}.${type}.`);
  const value = payload[field];
  if (typeof value !== 'string' || value === '') refuseField(`${at}.${type}.${field}`, 'expected a string');
  return value;
}
