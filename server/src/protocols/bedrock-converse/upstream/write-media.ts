// Pictures, documents, videos and sound as blocks: bytes only, under the names that the protocol has for their kinds.
import type { MediaPart, MediaSource } from '../../../neutral/conversation.ts';
import type { Dropped } from '../../../neutral/dropped.ts';
import { type JsonRecord, settleSource } from '../../json/json-value.ts';

const IMAGES: ReadonlyMap<string, string> = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpeg'],
  ['image/jpg', 'jpeg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
]);
const DOCUMENTS: ReadonlyMap<string, string> = new Map([
  ['application/pdf', 'pdf'],
  ['text/csv', 'csv'],
  ['application/msword', 'doc'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
  ['application/vnd.ms-excel', 'xls'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
  ['text/html', 'html'],
  ['text/markdown', 'md'],
  ['text/plain', 'txt'],
  ['application/json', 'txt'],
]);
const VIDEOS: ReadonlyMap<string, string> = new Map([
  ['video/mp4', 'mp4'],
  ['video/quicktime', 'mov'],
  ['video/x-matroska', 'mkv'],
  ['video/webm', 'webm'],
  ['video/x-flv', 'flv'],
  ['video/mpeg', 'mpeg'],
  ['video/x-ms-wmv', 'wmv'],
  ['video/3gpp', 'three_gp'],
]);
const SOUNDS: ReadonlyMap<string, string> = new Map([
  ['audio/mpeg', 'mp3'],
  ['audio/mp3', 'mp3'],
  ['audio/wav', 'wav'],
  ['audio/x-wav', 'wav'],
  ['audio/flac', 'flac'],
  ['audio/ogg', 'ogg'],
  ['audio/aac', 'aac'],
  ['audio/mp4', 'm4a'],
  ['audio/webm', 'webm'],
]);

/** undefined when there is no place for it; it is named then. `number` tells documents of one request apart. */
export function writeMedia(part: MediaPart, number: number, dropped: Dropped): JsonRecord | undefined {
  const block = writeBlock(part, settleSource(part.source), number);
  if (block === undefined) dropped.path(part.path);
  else if (part.detail !== undefined && part.detail !== 'auto') dropped.path(`${part.path}.detail`);
  return block;
}

function writeBlock(part: MediaPart, source: MediaSource, number: number): JsonRecord | undefined {
  if (source.by === 'text')
    return documentOf(part, { format: 'txt', data: Buffer.from(source.text).toString('base64'), number });
  if (source.by !== 'data') return undefined;
  const { mediaType, data } = source;
  const image = IMAGES.get(mediaType);
  if (image !== undefined) return { image: { format: image, source: { bytes: data } } };
  const video = VIDEOS.get(mediaType);
  if (video !== undefined) return { video: { format: video, source: { bytes: data } } };
  const sound = SOUNDS.get(mediaType);
  if (sound !== undefined) return { audio: { format: sound, source: { bytes: data } } };
  const format = DOCUMENTS.get(mediaType) ?? (mediaType.startsWith('text/') ? 'txt' : undefined);
  return format === undefined ? undefined : documentOf(part, { format, data, number });
}

function documentOf(
  { title, filename }: MediaPart,
  { format, data, number }: { format: string; data: string; number: number },
): JsonRecord {
  return { document: { format, name: nameOf(title ?? filename, number), source: { bytes: data } } };
}

/** Letters, digits, single spaces, hyphens and brackets; every document of a request has another name. */
function nameOf(title: string | undefined, number: number): string {
  const plain = (title ?? 'document')
    .replace(/[^a-zA-Z0-9()[\] -]+/g, '-')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 180);
  return `${plain === '' ? 'document' : plain} ${number}`;
}
