// Media in messages, as far as the protocols of this family say them alike.
import type { MediaPart, MediaSource } from '../../neutral/conversation.ts';
import { asRecord, type JsonRecord, needRecord, needText, optionalText, readDataUrl } from '../json/json-value.ts';

export function sourceOf(url: string): MediaSource {
  const data = readDataUrl(url);
  return data === undefined ? { by: 'url', url } : { by: 'data', ...data };
}

/** `file_data`: a data URL, or bare base64 as the first clients sent it, which only ever was PDF. */
export function fileSource(data: string): MediaSource {
  return /^(?:data:|https?:)/i.test(data) ? sourceOf(data) : { by: 'data', data, mediaType: 'application/pdf' };
}

/** The value of a field `image_url`. */
export function readImageUrl(value: unknown, path: string): MediaPart {
  const image = asRecord(value);
  const url = needText(image?.['url'] ?? value, `${path}.image_url.url`);
  const detail = optionalText(image?.['detail'], `${path}.image_url.detail`);
  return { type: 'media', kind: 'image', source: sourceOf(url), ...(detail !== undefined && { detail }), path };
}

/** The part `input_audio`. */
export function readAudio(wire: JsonRecord, path: string): MediaPart {
  const audio = needRecord(wire['input_audio'], `${path}.input_audio`);
  const data = needText(audio['data'], `${path}.input_audio.data`);
  const format = needText(audio['format'], `${path}.input_audio.format`);
  const mediaType = `audio/${format === 'mp3' ? 'mpeg' : format}`;
  return { type: 'media', kind: 'audio', source: { by: 'data', data, mediaType }, path };
}

export function writeAudio({ data, mediaType }: { data: string; mediaType: string }): JsonRecord {
  return { type: 'input_audio', input_audio: { data, format: audioFormat(mediaType) } };
}

const FORMATS: ReadonlyMap<string, string> = new Map([
  ['mpeg', 'mp3'],
  ['wave', 'wav'],
  ['vnd.wave', 'wav'],
]);

function audioFormat(mediaType: string): string {
  const format = mediaType
    .replace(/;.*$/, '')
    .trim()
    .replace(/^audio\/(?:x-)?/, '');
  return FORMATS.get(format) ?? format;
}

const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ['text/plain', 'txt'],
  ['text/markdown', 'md'],
  ['text/html', 'html'],
  ['text/csv', 'csv'],
  ['application/json', 'json'],
]);

/** A file that is sent by its bytes must have a name, and its end says what it is. */
export function filenameOf({ filename, title, source }: MediaPart): string {
  const mediaType = 'mediaType' in source ? (source.mediaType ?? '') : '';
  const name = filename ?? title ?? 'document';
  return /\.\w{1,5}$/.test(name) ? name : `${name}.${EXTENSIONS.get(mediaType) ?? 'pdf'}`;
}

/** A document that is text already, under its title. */
export function documentText({ title, filename }: MediaPart, text: string): string {
  const head = title ?? filename;
  return head === undefined ? text : `${head}\n\n${text}`;
}
