// Content parts of a chat message in the neutral form.
import { invalidRequest } from '../../../errors/gateway-error.ts';
import type { MediaPart, Part } from '../../../neutral/conversation.ts';
import { asRecord, type JsonRecord, needRecord, needText, optionalText } from '../../json/json-value.ts';
import { contentReader } from '../../openai-shared/content.ts';
import { fileSource, readAudio, readImageUrl, sourceOf } from '../../openai-shared/media.ts';

export const PART_FIELDS = ['text', 'refusal', 'image_url', 'video_url', 'input_audio', 'file'];

export const readContent = contentReader({
  fields: PART_FIELDS,
  read: readPart,
});

function readPart(wire: JsonRecord, path: string): Part | undefined {
  switch (wire['type']) {
    case 'text':
      return { type: 'text', text: needText(wire['text'], `${path}.text`), path };
    case 'refusal':
      return { type: 'refusal', text: needText(wire['refusal'], `${path}.refusal`), path };
    case 'image_url':
      return readImageUrl(wire['image_url'], path);
    case 'video_url': {
      const url = needText(asRecord(wire['video_url'])?.['url'] ?? wire['video_url'], `${path}.video_url.url`);
      return { type: 'media', kind: 'video', source: sourceOf(url), path };
    }
    case 'input_audio':
      return readAudio(wire, path);
    case 'file':
      return readFile(needRecord(wire['file'], `${path}.file`), path);
    default:
      return undefined;
  }
}

function readFile(file: JsonRecord, path: string): MediaPart {
  const filename = optionalText(file['filename'], `${path}.file.filename`);
  const name = filename !== undefined && { filename };
  const id = optionalText(file['file_id'], `${path}.file.file_id`);
  if (id !== undefined) return { type: 'media', kind: 'file', source: { by: 'id', id }, ...name, path };
  const data = optionalText(file['file_data'], `${path}.file.file_data`);
  if (data === undefined) throw invalidRequest(`'${path}.file' must have file_data or file_id.`, `${path}.file`);
  return { type: 'media', kind: 'file', source: fileSource(data), ...name, path };
}
