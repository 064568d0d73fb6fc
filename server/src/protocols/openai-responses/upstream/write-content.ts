// Text and media as content of input items.
import type { MediaPart, Part, ToolResultPart } from '../../../neutral/conversation.ts';
import type { Dropped } from '../../../neutral/dropped.ts';
import { type JsonRecord, writeDataUrl } from '../../json/json-value.ts';
import { contentWriter, dropCacheMarks } from '../../openai-shared/content.ts';
import { documentText, filenameOf, writeAudio } from '../../openai-shared/media.ts';

export const writeContent = contentWriter('input_text', writeMedia);

/** Results are a text, or a list of text, images and files. */
export function writeResultContent({ content, isError }: ToolResultPart, dropped: Dropped): JsonRecord[] | string {
  const isPlain = content.every((part) => part.type === 'text' && part.cacheMark?.isBreakpoint !== true);
  if (isPlain) {
    dropCacheMarks(content, dropped);
    const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
    return isError ? `Error: ${text}` : text;
  }
  const isSupported = (part: Part): boolean =>
    part.type !== 'media' || (part.kind !== 'audio' && part.kind !== 'video');
  for (const part of content) if (!isSupported(part)) dropped.path(part.path);
  const written = writeContent(content.filter(isSupported), dropped);
  return isError ? [{ type: 'input_text', text: 'Error:' }, ...written] : written;
}

function writeMedia(part: MediaPart, dropped: Dropped): JsonRecord | undefined {
  const { kind, source, detail = 'auto' } = part;
  if (source.by === 'text') return { type: 'input_text', text: documentText(part, source.text) };
  if (kind === 'image') {
    if (source.by === 'id') return { type: 'input_image', file_id: source.id, detail };
    return { type: 'input_image', image_url: source.by === 'url' ? source.url : writeDataUrl(source), detail };
  }
  if (kind === 'file') return writeFile(part, dropped);
  return kind === 'audio' && source.by === 'data' ? writeAudio(source) : undefined;
}

function writeFile(part: MediaPart, dropped: Dropped): JsonRecord | undefined {
  const { source, title, path } = part;
  if (source.by === 'data') {
    return { type: 'input_file', filename: filenameOf(part), file_data: writeDataUrl(source) };
  }
  if (title !== undefined) dropped.path(`${path}.title`);
  if (source.by === 'id') return { type: 'input_file', file_id: source.id };
  return source.by === 'url' ? { type: 'input_file', file_url: source.url } : undefined;
}
