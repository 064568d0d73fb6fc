// Content blocks of a request become neutral parts. What the neutral form has no place for is listed by its path.
import { readSignature } from '../../../neutral/signature.ts';
import type { CacheMark, Part, TextPart, ToolResultPart } from '../../../neutral/conversation.ts';
import { invalidRequest } from '../../../errors/gateway-error.ts';
import {
  asList,
  asRecord,
  asText,
  type JsonRecord,
  needRecord,
  needText,
  unknownFields,
} from '../../json/json-value.ts';
import { readCitation } from '../citations.ts';
import { NAME } from '../wire.ts';
import { readDocument, readImage, readSearchResult } from './read-media.ts';

type BlockReader = (block: JsonRecord, path: string, unknown: string[]) => Part | undefined;

/** A string, or a list of blocks. */
export function readContent(content: unknown, path: string, unknown: string[]): Part[] {
  if (typeof content === 'string') return [{ type: 'text', text: content, path }];
  if (!Array.isArray(content)) throw invalidRequest(`'${path}' must be a string or an array.`, path);
  return content.flatMap((block, index) => readBlock(block, `${path}[${index}]`, unknown) ?? []);
}

export function readCacheMark(block: JsonRecord, prefix: string): CacheMark | undefined {
  const mark = block['cache_control'];
  if (mark === undefined || mark === null) return undefined;
  const path = `${prefix}cache_control`;
  const ttl = asText(needRecord(mark, path)['ttl']);
  return ttl === undefined ? { path } : { ttl, path };
}

function readBlock(value: unknown, path: string, unknown: string[]): Part | undefined {
  const block = needRecord(value, path);
  const type = needText(block['type'], `${path}.type`);
  const reader = readers.get(type);
  const part = reader?.read(block, path, unknown);
  if (reader === undefined || part === undefined) {
    unknown.push(path);
    return undefined;
  }
  unknown.push(...unknownFields(block, reader.known, `${path}.`));
  const cacheMark = readCacheMark(block, `${path}.`);
  return cacheMark === undefined ? part : { ...part, cacheMark };
}

function readText(block: JsonRecord, path: string): TextPart {
  const citations = asList(block['citations']).flatMap((citation) => readCitation(citation) ?? []);
  const text = needText(block['text'], `${path}.text`);
  return citations.length === 0 ? { type: 'text', text, path } : { type: 'text', text, citations, path };
}

function readThinking(block: JsonRecord, path: string): Part {
  const text = needText(block['thinking'] ?? '', `${path}.thinking`);
  const signature = needText(block['signature'] ?? '', `${path}.signature`);
  return { type: 'reasoning', text, path, ...(signature !== '' && { signature: readSignature(signature, NAME) }) };
}

function readRedacted(block: JsonRecord, path: string): Part {
  return { type: 'reasoning', text: '', sealed: readSignature(needText(block['data'], `${path}.data`), NAME), path };
}

function readToolUse(block: JsonRecord, path: string, unknown: string[]): Part {
  const caller = asRecord(block['caller'])?.['type'];
  if (caller !== undefined && caller !== 'direct') unknown.push(`${path}.caller`);
  return {
    type: 'tool-call',
    id: needText(block['id'], `${path}.id`),
    name: needText(block['name'], `${path}.name`),
    arguments: JSON.stringify(needRecord(block['input'] ?? {}, `${path}.input`)),
    path,
  };
}

function readToolResult(block: JsonRecord, path: string, unknown: string[]): ToolResultPart {
  const content = readContent(block['content'] ?? [], `${path}.content`, unknown);
  const misplaced = content.find((part) => part.type !== 'text' && part.type !== 'media');
  if (misplaced !== undefined)
    throw invalidRequest(`'${misplaced.path}' may not stand in a tool's result.`, misplaced.path);
  return {
    type: 'tool-result',
    callId: needText(block['tool_use_id'], `${path}.tool_use_id`),
    content: content.filter((part) => part.type === 'text' || part.type === 'media'),
    isError: block['is_error'] === true,
    path,
  };
}

const reader = (read: BlockReader, ...names: string[]): { read: BlockReader; known: ReadonlySet<string> } => ({
  read,
  known: new Set(['type', 'cache_control', ...names]),
});

export const readers: ReadonlyMap<string, { read: BlockReader; known: ReadonlySet<string> }> = new Map([
  ['text', reader(readText, 'text', 'citations')],
  ['image', reader(readImage, 'source')],
  ['document', reader(readDocument, 'source', 'title')],
  ['search_result', reader(readSearchResult, 'source', 'title', 'content')],
  ['thinking', reader(readThinking, 'thinking', 'signature')],
  ['redacted_thinking', reader(readRedacted, 'data')],
  ['tool_use', reader(readToolUse, 'id', 'name', 'input', 'caller')],
  ['tool_result', reader(readToolResult, 'tool_use_id', 'content', 'is_error')],
]);
