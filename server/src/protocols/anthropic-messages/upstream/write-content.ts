// Neutral parts as content blocks of a request. What has no place is named and left out.
import type { CacheMark, Part, TextPart, ToolCallPart, ToolResultPart } from '../../../neutral/conversation.ts';
import type { Dropped } from '../../../neutral/dropped.ts';
import { type JsonRecord, readArguments } from '../../json/json-value.ts';
import { NAME } from '../wire.ts';
import type { CallIds } from './call-ids.ts';
import { writeMedia } from './write-media.ts';

export interface ContentContext {
  ids: CallIds;
  dropped: Dropped;
}

export function writeParts(parts: readonly Part[], context: ContentContext): JsonRecord[] {
  return parts.flatMap((part) => writePart(part, context));
}

function writePart(part: Part, context: ContentContext): JsonRecord[] {
  if (part.type === 'text') return writeText(part, context.dropped);
  if (part.type === 'refusal') return part.text === '' ? [] : [{ type: 'text', text: part.text }];
  if (part.type === 'media') return marked(writeMedia(part, context.dropped), part.cacheMark);
  if (part.type === 'tool-call') return marked(writeToolUse(part, context.ids), part.cacheMark);
  if (part.type === 'tool-result') return writeToolResult(part, context);
  // Only what this protocol's own models thought can be shown to them again.
  if (part.sealed?.protocol === NAME) return [{ type: 'redacted_thinking', data: part.sealed.value }];
  if (part.signature?.protocol !== NAME) return [];
  return [{ type: 'thinking', thinking: part.text, signature: part.signature.value }];
}

/** Empty texts are refused upstream, and say nothing. */
function writeText({ text, path, citations, cacheMark }: TextPart, dropped: Dropped): JsonRecord[] {
  // Citations can be sent back only with what the provider itself has sealed into them.
  if (citations !== undefined && citations.length > 0) dropped.path(`${path}.annotations`);
  return text.trim() === '' ? [] : marked({ type: 'text', text }, cacheMark);
}

function writeToolUse({ id, name, arguments: text }: ToolCallPart, ids: CallIds): JsonRecord {
  return { type: 'tool_use', id: ids.write(id), name, input: readArguments(text) };
}

function writeToolResult(part: ToolResultPart, context: ContentContext): JsonRecord[] {
  const content = writeParts(part.content, context);
  // A result that is an error may hold only text: its media stand behind it.
  const [inside, behind] = part.isError ? split(content) : [content, []];
  const result: JsonRecord = { type: 'tool_result', tool_use_id: context.ids.write(part.callId) };
  if (inside.length > 0) result['content'] = inside;
  if (part.isError) result['is_error'] = true;
  return [...marked(result, part.cacheMark), ...behind];
}

function split(content: JsonRecord[]): [JsonRecord[], JsonRecord[]] {
  return [content.filter(({ type }) => type === 'text'), content.filter(({ type }) => type !== 'text')];
}

function marked(block: JsonRecord | undefined, mark: CacheMark | undefined): JsonRecord[] {
  if (block === undefined) return [];
  return mark === undefined ? [block] : [{ ...block, cache_control: writeCacheMark(mark) }];
}

/** Five minutes is what no time means. */
export function writeCacheMark({ ttl }: CacheMark): JsonRecord {
  return ttl === '1h' ? { type: 'ephemeral', ttl } : { type: 'ephemeral' };
}
