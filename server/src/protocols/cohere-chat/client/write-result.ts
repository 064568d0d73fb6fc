// A neutral result as an answer of /v2/chat.
import type { Citation, ToolCallPart } from '../../../neutral/conversation.ts';
import type { GenerationResult } from '../../../neutral/generation.ts';
import type { JsonRecord } from '../../json/json-value.ts';
import type { AnswerContext } from '../../text-protocol.ts';
import { writeFinishReason } from '../finish-reason.ts';
import { writeUsage } from '../usage.ts';

export function writeResult({ content, finish, usage }: GenerationResult, { id }: AnswerContext): Buffer {
  const blocks: JsonRecord[] = [];
  const citations: JsonRecord[] = [];
  for (const part of content) {
    if (part.type === 'reasoning' && part.text !== '') blocks.push({ type: 'thinking', thinking: part.text });
    if (part.type !== 'text' && part.type !== 'refusal') continue;
    if (part.type === 'text')
      for (const citation of part.citations ?? [])
        citations.push(...writeCitation(citation, { text: part.text, index: blocks.length }));
    blocks.push({ type: 'text', text: part.text });
  }
  const calls = content.filter((part) => part.type === 'tool-call');
  return Buffer.from(
    JSON.stringify({
      id,
      finish_reason: writeFinishReason(finish),
      message: {
        role: 'assistant',
        ...((blocks.length > 0 || calls.length === 0) && { content: blocks }),
        ...(calls.length > 0 && { tool_calls: calls.map(writeToolCall) }),
        ...(citations.length > 0 && { citations }),
      },
      ...(usage !== undefined && { usage: writeUsage(usage) }),
    }),
  );
}

function writeToolCall({ id, name, arguments: text }: ToolCallPart): JsonRecord {
  return { id, type: 'function', function: { name, arguments: text || '{}' } };
}

/** The part of the content that is cited for. */
export interface CitedContent {
  text: string;
  index: number;
}

/** None for one that names no source. One that does not say where it belongs is for the whole text. */
export function writeCitation(citation: Citation, { text, index }: CitedContent): JsonRecord[] {
  const { url, title, quote, start = 0, end = text.length } = citation;
  const id = url ?? title;
  if (id === undefined) return [];
  const document = { id, ...(url !== undefined && { url }), ...(title !== undefined && { title }) };
  const source = { type: 'document', id, document: { ...document, ...(quote !== undefined && { snippet: quote }) } };
  const cited = { start, end, text: text.slice(start, end), sources: [source] };
  return [{ ...cited, content_index: index, type: 'TEXT_CONTENT' }];
}
