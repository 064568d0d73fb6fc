// Content parts of an input item in the neutral form.
import { invalidRequest } from '../../../errors/gateway-error.ts';
import type { MediaPart, MediaSource, Part } from '../../../neutral/conversation.ts';
import { asList, asRecord, type JsonRecord, needText, optionalText } from '../../json/json-value.ts';
import { readUrlCitation } from '../../openai-shared/citations.ts';
import { contentReader } from '../../openai-shared/content.ts';
import { fileSource, readAudio, sourceOf } from '../../openai-shared/media.ts';

export const PART_FIELDS = [
  'text',
  'annotations',
  'logprobs',
  'refusal',
  'image_url',
  'detail',
  'file_id',
  'file_url',
  'file_data',
  'filename',
  'input_audio',
];

export const readContent = contentReader({
  fields: PART_FIELDS,
  read: readPart,
});

function readPart(wire: JsonRecord, path: string): Part | undefined {
  switch (wire['type']) {
    case 'input_text':
    case 'output_text':
    case 'text': {
      const citations = asList(wire['annotations']).flatMap(readUrlCitation);
      const text = needText(wire['text'], `${path}.text`);
      return { type: 'text', text, ...(citations.length > 0 && { citations }), path };
    }
    case 'refusal':
      return { type: 'refusal', text: needText(wire['refusal'], `${path}.refusal`), path };
    case 'input_image':
      return readImage(wire, path);
    case 'input_file':
      return readFile(wire, path);
    case 'input_audio':
      return readAudio(wire, path);
    default:
      return undefined;
  }
}

function readImage(wire: JsonRecord, path: string): MediaPart {
  const detail = optionalText(wire['detail'], `${path}.detail`);
  const url = optionalText(asRecord(wire['image_url'])?.['url'] ?? wire['image_url'], `${path}.image_url`);
  const source = url === undefined ? idSource(wire, path) : sourceOf(url);
  if (source === undefined) throw invalidRequest(`'${path}' must have image_url or file_id.`, `${path}.image_url`);
  return { type: 'media', kind: 'image', source, ...(detail !== undefined && { detail }), path };
}

function readFile(wire: JsonRecord, path: string): MediaPart {
  const filename = optionalText(wire['filename'], `${path}.filename`);
  const data =
    optionalText(wire['file_url'], `${path}.file_url`) ?? optionalText(wire['file_data'], `${path}.file_data`);
  const source = data === undefined ? idSource(wire, path) : fileSource(data);
  if (source === undefined) {
    throw invalidRequest(`'${path}' must have file_data, file_url or file_id.`, `${path}.file_data`);
  }
  return { type: 'media', kind: 'file', source, ...(filename !== undefined && { filename }), path };
}

function idSource(wire: JsonRecord, path: string): MediaSource | undefined {
  const id = optionalText(wire['file_id'], `${path}.file_id`);
  return id === undefined ? undefined : { by: 'id', id };
}
