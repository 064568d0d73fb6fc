// A neutral conversation as chat messages. Results of tools can only be text here, so their media follow as the user's.
import type { Message, Part, ReasoningPart, ToolResultPart } from '../../../neutral/conversation.ts';
import type { Dropped } from '../../../neutral/dropped.ts';
import { resultsFirst } from '../../../neutral/results-first.ts';
import type { JsonRecord } from '../../json/json-value.ts';
import { dropCacheMarks } from '../../openai-shared/content.ts';
import { writeCallSignature, writeReasoningDetail } from '../reasoning-details.ts';
import { CHAT } from '../wire.ts';
import { isCallSignature, callSignature } from './own-signature.ts';
import { writeContent, writeParts } from './write-content.ts';

export function writeMessages(messages: readonly Message[], dropped: Dropped): JsonRecord[] {
  const written: JsonRecord[] = [];
  /** Media of tool results wait until all results of the turn are said. */
  let waiting: JsonRecord[] = [];
  const release = (): void => {
    if (waiting.length > 0) written.push({ role: 'user', content: waiting });
    waiting = [];
  };
  for (const message of resultsFirst(messages)) {
    if (message.role !== 'tool') release();
    for (const result of message.content) {
      if (result.type !== 'tool-result') continue;
      dropCacheMarks([result], dropped);
      written.push({ role: 'tool', tool_call_id: result.callId, content: resultText(result) });
      waiting.push(...writeResultMedia(result, dropped));
    }
    written.push(...writeMessage(message, dropped));
  }
  release();
  return written;
}

function writeMessage(message: Message, dropped: Dropped): JsonRecord[] {
  if (message.role === 'tool') return [];
  if (message.role === 'assistant') return [writeAssistant(message.content, dropped)];
  const role = message.role === 'system' && message.isDeveloper === true ? 'developer' : message.role;
  const results = message.content.filter((part) => part.type === 'tool-result');
  const content = writeContent(
    message.content.filter((part) => part.type !== 'tool-result'),
    dropped,
  );
  // A user who says nothing still has the turn; system prompts and bearers of results need not say anything.
  const mayBeLeftOut = message.role === 'system' || results.length > 0;
  return content === '' && mayBeLeftOut ? [] : [{ role, content }];
}

function writeAssistant(parts: readonly Part[], dropped: Dropped): JsonRecord {
  const calls = parts.filter((part) => part.type === 'tool-call');
  const refusals = parts.filter((part) => part.type === 'refusal');
  for (const part of parts) if (part.type === 'media') dropped.path(part.path);
  const others = parts.filter((part) => part.type !== 'text');
  dropCacheMarks(others, dropped);
  const content = writeContent(
    parts.filter((part) => part.type === 'text'),
    dropped,
  );
  const details = parts.flatMap(writeOwnReasoning);
  return {
    role: 'assistant',
    content: content === '' && calls.length + refusals.length > 0 ? null : content,
    ...(refusals.length > 0 && { refusal: refusals.map(({ text }) => text).join('') }),
    ...(details.length > 0 && { reasoning_details: details }),
    ...(calls.length > 0 && { tool_calls: writeToolCalls(parts) }),
  };
}

/** What an upstream of this protocol signed or sealed itself. */
function writeOwnReasoning(part: Part): JsonRecord[] {
  if (part.type !== 'reasoning') return [];
  const { signature, sealed }: ReasoningPart = part;
  if (isCallSignature(part)) return [];
  return (signature ?? sealed)?.protocol === CHAT ? writeReasoningDetail(part) : [];
}

function writeToolCalls(parts: readonly Part[]): JsonRecord[] {
  return parts.flatMap((part, index) => {
    if (part.type !== 'tool-call') return [];
    const { id, name, arguments: text } = part;
    const signature = writeCallSignature(callSignature(part, parts[index - 1]));
    return [{ id, type: 'function', function: { name, arguments: text || '{}' }, ...signature }];
  });
}

function writeResultMedia({ content, callId }: ToolResultPart, dropped: Dropped): JsonRecord[] {
  for (const { type, cacheMark } of content)
    if (type === 'text' && cacheMark !== undefined) dropped.path(cacheMark.path);
  const media = content.filter((part) => part.type === 'media');
  const parts = writeParts(media, dropped);
  return parts.length === 0 ? [] : [{ type: 'text', text: `From the result of tool call ${callId}:` }, ...parts];
}

function resultText({ content, isError }: ToolResultPart): string {
  const text = content
    .filter((part) => part.type === 'text')
    .map((part) => part.text)
    .join('\n');
  if (isError) return `Error: ${text}`;
  return text === '' && content.length > 0 ? 'See the following message.' : text;
}
