// What a medium is by its type or its address. This wire tells types where others tell kinds.
import type { MediaPart } from '../../neutral/conversation.ts';

type Kind = MediaPart['kind'];

const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['webp', 'image/webp'],
  ['gif', 'image/gif'],
  ['heic', 'image/heic'],
  ['mp4', 'video/mp4'],
  ['mov', 'video/quicktime'],
  ['webm', 'video/webm'],
  ['mp3', 'audio/mpeg'],
  ['wav', 'audio/wav'],
  ['ogg', 'audio/ogg'],
  ['flac', 'audio/flac'],
  ['m4a', 'audio/mp4'],
  ['pdf', 'application/pdf'],
  ['txt', 'text/plain'],
  ['md', 'text/markdown'],
  ['csv', 'text/csv'],
  ['html', 'text/html'],
]);

const USUAL: Readonly<Record<Kind, string>> = {
  image: 'image/jpeg',
  audio: 'audio/mpeg',
  video: 'video/mp4',
  file: 'application/pdf',
};

const VIDEO_SITES = /^https?:\/\/(?:www\.|m\.)?(?:youtube\.com|youtu\.be)\//i;

export function kindOf(mediaType: string): Kind {
  const family = mediaType.slice(0, mediaType.indexOf('/'));
  return family === 'image' || family === 'audio' || family === 'video' ? family : 'file';
}

/** The type that an address tells; undefined when it does not. */
export function typeOfAddress(url: string): string | undefined {
  if (VIDEO_SITES.test(url)) return 'video/mp4';
  const extension = /\.([a-z0-9]{2,4})(?:[?#].*)?$/i.exec(url)?.[1];
  return extension === undefined ? undefined : EXTENSIONS.get(extension.toLowerCase());
}

export function usualType(kind: Kind): string {
  return USUAL[kind];
}
