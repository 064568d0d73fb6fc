// Images and documents of a request. Undefined means that the neutral form has no place for the block.
import { invalidRequest } from '../../../errors/gateway-error.ts';
import type { MediaPart, MediaSource } from '../../../neutral/conversation.ts';
import { asRecord, asText, type JsonRecord, needList, needRecord, needText } from '../../json/json-value.ts';

export function readImage(block: JsonRecord, path: string): MediaPart | undefined {
  const source = readSource(block['source'], `${path}.source`);
  return source === undefined ? undefined : { type: 'media', kind: 'image', source, path };
}

export function readDocument(block: JsonRecord, path: string): MediaPart | undefined {
  const source = readSource(block['source'], `${path}.source`);
  const title = asText(block['title']);
  if (source === undefined) return undefined;
  return { type: 'media', kind: 'file', source, path, ...(title !== undefined && { title }) };
}

/** A passage with its source is a document of text to everybody else. */
export function readSearchResult(block: JsonRecord, path: string): MediaPart | undefined {
  const text = joinTexts(needList(block['content'], `${path}.content`));
  if (text === undefined) return undefined;
  const title = [asText(block['title']), asText(block['source'])].filter((word) => word !== undefined).join(' - ');
  return { type: 'media', kind: 'file', source: { by: 'text', text, mediaType: 'text/plain' }, title, path };
}

type SourceReader = (source: JsonRecord, path: string) => MediaSource | undefined;

function readSource(value: unknown, path: string): MediaSource | undefined {
  const source = needRecord(value, path);
  const type = needText(source['type'], `${path}.type`);
  const read = sources.get(type);
  if (read === undefined) throw invalidRequest(`'${path}.type' is not one that is known here.`, `${path}.type`);
  return read(source, path);
}

const sources: ReadonlyMap<string, SourceReader> = new Map<string, SourceReader>([
  ['url', (source, path) => ({ by: 'url', url: needText(source['url'], `${path}.url`) })],
  ['file', (source, path) => ({ by: 'id', id: needText(source['file_id'], `${path}.file_id`) })],
  [
    'base64',
    (source, path) => ({
      by: 'data',
      data: needText(source['data'], `${path}.data`),
      mediaType: needText(source['media_type'], `${path}.media_type`),
    }),
  ],
  [
    'text',
    (source, path) => ({
      by: 'text',
      text: needText(source['data'], `${path}.data`),
      mediaType: asText(source['media_type']) ?? 'text/plain',
    }),
  ],
  ['content', (source) => readBlocks(source['content'])],
]);

/** A document made of blocks: its texts can be joined, images among them cannot. */
function readBlocks(content: unknown): MediaSource | undefined {
  const text = typeof content === 'string' ? content : Array.isArray(content) ? joinTexts(content) : undefined;
  return text === undefined ? undefined : { by: 'text', text, mediaType: 'text/plain' };
}

function joinTexts(blocks: unknown[]): string | undefined {
  const texts = blocks.map((block) => asText(asRecord(block)?.['text']));
  return texts.includes(undefined) ? undefined : texts.join('\n\n');
}
