// Images, audio, videos and documents of a request.
import type { MediaPart, MediaSource } from '../../../neutral/conversation.ts';
import { asText, needRecord, needText } from '../../json/json-value.ts';
import { kindOf, typeOfAddress } from '../media-type.ts';
import { readKnown } from '../spelling.ts';

export const INLINE_FIELDS: ReadonlySet<string> = new Set(['mimeType', 'data', 'displayName']);
export const FILE_FIELDS: ReadonlySet<string> = new Set(['mimeType', 'fileUri', 'displayName']);
/** Files that were uploaded to the vendor: nobody else can read them. */
const VENDOR_FILE = /^(?:gs:|files\/|https?:\/\/[^/]*\.googleapis\.com\/v\d\w*\/files\/)/;

export function readInlineData(value: unknown, partPath: string, unknown: string[]): MediaPart {
  const path = `${partPath}.inlineData`;
  const wire = readKnown(needRecord(value, path), INLINE_FIELDS, { prefix: `${path}.`, unknown });
  const mediaType = needText(wire['mimeType'], `${path}.mimeType`);
  const data = needText(wire['data'], `${path}.data`);
  const source: MediaSource = mediaType.startsWith('text/')
    ? { by: 'text', text: Buffer.from(data, 'base64').toString('utf8'), mediaType }
    : { by: 'data', data, mediaType };
  return { type: 'media', kind: kindOf(mediaType), source, ...readName(wire['displayName']), path: partPath };
}

export function readFileData(value: unknown, partPath: string, unknown: string[]): MediaPart {
  const path = `${partPath}.fileData`;
  const wire = readKnown(needRecord(value, path), FILE_FIELDS, { prefix: `${path}.`, unknown });
  const url = needText(wire['fileUri'], `${path}.fileUri`);
  const mediaType = asText(wire['mimeType']) ?? typeOfAddress(url);
  const source: MediaSource = VENDOR_FILE.test(url)
    ? { by: 'id', id: url }
    : { by: 'url', url, ...(mediaType !== undefined && { mediaType }) };
  return {
    type: 'media',
    kind: kindOf(mediaType ?? ''),
    source,
    ...readName(wire['displayName']),
    path: partPath,
  };
}

function readName(value: unknown): { filename?: string } {
  const filename = asText(value);
  return filename === undefined ? {} : { filename };
}
