// Images and documents as blocks; this protocol has no sound and no video.
import type { Dropped } from '../../../neutral/dropped.ts';
import type { MediaPart, MediaSource } from '../../../neutral/conversation.ts';
import { type JsonRecord, settleSource } from '../../json/json-value.ts';

const IMAGES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);
const PDF = 'application/pdf';
const TEXTS: ReadonlySet<string> = new Set(['application/json', 'application/xml', 'application/x-yaml']);

/** undefined when there is no place for it; it is named then. */
export function writeMedia(part: MediaPart, dropped: Dropped): JsonRecord | undefined {
  const source = settleSource(part.source);
  const block = part.kind === 'image' ? writeImage(source) : part.kind === 'file' ? writeFile(part, source) : undefined;
  if (block === undefined) dropped.path(part.path);
  else if (part.detail !== undefined && part.detail !== 'auto') dropped.path(`${part.path}.detail`);
  return block;
}

function writeImage(source: MediaSource): JsonRecord | undefined {
  if (source.by === 'url') return { type: 'image', source: { type: 'url', url: source.url } };
  if (source.by !== 'data') return undefined;
  const mediaType = source.mediaType === 'image/jpg' ? 'image/jpeg' : source.mediaType;
  if (!IMAGES.has(mediaType)) return undefined;
  return { type: 'image', source: { type: 'base64', media_type: mediaType, data: source.data } };
}

function writeFile({ title, filename }: MediaPart, source: MediaSource): JsonRecord | undefined {
  if (source.by === 'data' && IMAGES.has(source.mediaType)) return writeImage(source);
  const written = writeDocumentSource(source);
  if (written === undefined) return undefined;
  const name = title ?? filename;
  return { type: 'document', source: written, ...(name !== undefined && name !== '' && { title: name }) };
}

function writeDocumentSource(source: MediaSource): JsonRecord | undefined {
  if (source.by === 'text') return { type: 'text', media_type: 'text/plain', data: source.text };
  if (source.by === 'url') {
    const isPdf = source.mediaType === undefined || source.mediaType === '' || source.mediaType === PDF;
    return isPdf ? { type: 'url', url: source.url } : undefined;
  }
  if (source.by !== 'data') return undefined;
  if (source.mediaType === PDF) return { type: 'base64', media_type: PDF, data: source.data };
  if (!source.mediaType.startsWith('text/') && !TEXTS.has(source.mediaType)) return undefined;
  return { type: 'text', media_type: 'text/plain', data: Buffer.from(source.data, 'base64').toString('utf8') };
}
