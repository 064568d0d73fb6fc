// Images, audio, videos and documents for an upstream of this protocol. One that it has no place for is named.
import type { Dropped } from '../../../neutral/dropped.ts';
import type { MediaPart } from '../../../neutral/conversation.ts';
import type { JsonRecord } from '../../json/json-value.ts';
import { typeOfAddress, usualType } from '../media-type.ts';

/** The id of a file is its address there, and only there. */
const OWN_FILE = /^(?:gs:|files\/|https?:)/;

export function writeMedia({ kind, source, title, detail, path }: MediaPart, dropped: Dropped): JsonRecord[] {
  if (detail !== undefined && detail !== 'auto') dropped.path(`${path}.detail`);
  if (source.by === 'text') return [{ text: title === undefined ? source.text : `${title}\n\n${source.text}` }];
  if (title !== undefined) dropped.path(`${path}.title`);
  switch (source.by) {
    case 'data':
      return [{ inlineData: { mimeType: source.mediaType || usualType(kind), data: source.data } }];
    case 'url': {
      const mimeType = source.mediaType ?? typeOfAddress(source.url) ?? usualType(kind);
      return [{ fileData: { mimeType, fileUri: source.url } }];
    }
    case 'id':
      if (OWN_FILE.test(source.id)) return [{ fileData: { fileUri: source.id } }];
      dropped.path(path);
      return [];
  }
}
