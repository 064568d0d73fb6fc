// Text and media of a message as content parts.
import type { MediaPart, Part } from '../../../neutral/conversation.ts';
import type { Dropped } from '../../../neutral/dropped.ts';
import { type JsonRecord, writeDataUrl } from '../../json/json-value.ts';
import { contentWriter } from '../../openai-shared/content.ts';
import { documentText, filenameOf, writeAudio } from '../../openai-shared/media.ts';

/** Plain text alone stays a string, which every compatible upstream takes; '' when there is nothing to say. */
export function writeContent(parts: readonly Part[], dropped: Dropped): JsonRecord[] | string {
  const written = writeParts(parts, dropped);
  const [first] = written;
  if (first === undefined) return '';
  const isPlain = written.length === 1 && Object.keys(first).every((name) => name === 'type' || name === 'text');
  return isPlain ? String(first['text']) : written;
}

export const writeParts = contentWriter('text', writeMedia);

function writeMedia(part: MediaPart, dropped: Dropped): JsonRecord | undefined {
  const { kind, source, detail } = part;
  if (source.by === 'text') return { type: 'text', text: documentText(part, source.text) };
  if (kind === 'file') return writeFile(part, dropped);
  if (source.by === 'id') return undefined;
  const url = source.by === 'url' ? source.url : writeDataUrl(source);
  if (kind === 'image') return { type: 'image_url', image_url: { url, ...(detail !== undefined && { detail }) } };
  if (kind === 'video') return { type: 'video_url', video_url: { url } };
  return source.by === 'data' ? writeAudio(source) : undefined;
}

/** Files are known by their bytes or by an id, never by an address. */
function writeFile(part: MediaPart, dropped: Dropped): JsonRecord | undefined {
  const { source, title, path } = part;
  if (source.by === 'data') {
    return { type: 'file', file: { filename: filenameOf(part), file_data: writeDataUrl(source) } };
  }
  if (source.by !== 'id') return undefined;
  if (title !== undefined) dropped.path(`${path}.title`);
  return { type: 'file', file: { file_id: source.id } };
}
