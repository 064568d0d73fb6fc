// Content parts of an input item in the neutral form.
import { invalidRequest } from '../../../errors/gateway-error.ts';
import type { MediaPart, MediaSource, Part } from '../../../neutral/conversation.ts';
import { asRecord, asText, type JsonRecord, needRecord, needText, readDataUrl } from '../../json-value.ts';

export function readContent(value: unknown, path: string, unknown: string[]): Part[] {
  if (value === undefined || value === null) return [];
  if (typeof value === 'string') return value === '' ? [] : [{ type: 'text', text: value, path }];
  if (!Array.isArray(value)) throw invalidRequest(`'${path}' must be a string or an array.`, path);
  return value.flatMap((one, index) => {
    const place = `${path}[${index}]`;
    const part = readPart(needRecord(one, place), place);
    if (part === undefined) unknown.push(place);
    return part ?? [];
  });
}

function readPart(wire: JsonRecord, path: string): Part | undefined {
  switch (wire['type']) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return { type: 'text', text: needText(wire['text'], `${path}.text`), path };
    case 'refusal':
      return { type: 'refusal', text: needText(wire['refusal'], `${path}.refusal`), path };
    case 'input_image':
      return readImage(wire, path);
    case 'input_file':
      return readFile(wire, path);
    case 'input_audio': {
      const audio = needRecord(wire['input_audio'], `${path}.input_audio`);
      const data = needText(audio['data'], `${path}.input_audio.data`);
      const format = needText(audio['format'], `${path}.input_audio.format`);
      const mediaType = format === 'mp3' ? 'audio/mpeg' : `audio/${format}`;
      return { type: 'media', kind: 'audio', source: { by: 'data', data, mediaType }, path };
    }
    default:
      return undefined;
  }
}

function readImage(wire: JsonRecord, path: string): MediaPart {
  const detail = asText(wire['detail']);
  const url = asText(asRecord(wire['image_url'])?.['url'] ?? wire['image_url']);
  const id = asText(wire['file_id']);
  if (url === undefined && id === undefined)
    throw invalidRequest(`'${path}' must have image_url or file_id.`, `${path}.image_url`);
  const source: MediaSource = url === undefined ? { by: 'id', id: id ?? '' } : sourceOf(url);
  return { type: 'media', kind: 'image', source, ...(detail !== undefined && { detail }), path };
}

function readFile(wire: JsonRecord, path: string): MediaPart {
  const filename = asText(wire['filename']);
  const name = filename !== undefined && { filename };
  const id = asText(wire['file_id']);
  const url = asText(wire['file_url']) ?? asText(wire['file_data']);
  if (url === undefined) {
    if (id === undefined)
      throw invalidRequest(`'${path}' must have file_data, file_url or file_id.`, `${path}.file_data`);
    return { type: 'media', kind: 'file', source: { by: 'id', id }, ...name, path };
  }
  const source: MediaSource = /^(?:data:|https?:)/.test(url)
    ? sourceOf(url)
    : { by: 'data', data: url, mediaType: 'application/pdf' };
  return { type: 'media', kind: 'file', source, ...name, path };
}

function sourceOf(url: string): MediaSource {
  const data = readDataUrl(url);
  return data === undefined ? { by: 'url', url } : { by: 'data', ...data };
}
