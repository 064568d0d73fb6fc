// The messages of a chat request in the neutral form.
import { invalidRequest } from '../../../errors/gateway-error.ts';
import type { Message, Part, ReasoningPart, ToolCallPart } from '../../../neutral/conversation.ts';
import { argumentsOf } from '../../custom-tools/custom-tool.ts';
import { readSignature } from '../../../neutral/signature.ts';
import {
  asList,
  asRecord,
  asText,
  type JsonRecord,
  needList,
  needRecord,
  needText,
  optionalList,
  optionalText,
  unknownFields,
} from '../../json/json-value.ts';
import { userMessage } from '../../json/user-content.ts';
import { readUrlCitation } from '../../openai-shared/citations.ts';
import { readCallSignature, readReasoningDetails, reasoningOf } from '../reasoning-details.ts';
import { CHAT } from '../wire.ts';
import { type PlacedReasoning, placeReasoning } from './place-reasoning.ts';
import { readContent } from './read-content.ts';

export const KNOWN = new Set([
  'role',
  'content',
  'tool_calls',
  'tool_call_id',
  'refusal',
  'reasoning_content',
  'reasoning',
  'reasoning_details',
  'annotations',
]);
export const KNOWN_CUSTOM_CALL = new Set(['id', 'type', 'custom', 'index', 'extra_content']);
export const KNOWN_CALL = new Set(['id', 'type', 'function', 'index', 'extra_content']);

export function readMessages(value: unknown, unknown: string[]): Message[] {
  if (value === undefined || value === null) {
    const message = "'prefix' and 'suffix' cannot be sent to this model's provider. Send 'messages'.";
    throw invalidRequest(message, 'messages');
  }
  return needList(value, 'messages').map((one, index) => {
    const path = `messages[${index}]`;
    const wire = needRecord(one, path);
    unknown.push(...unknownFields(wire, KNOWN, `${path}.`));
    return readMessage(wire, path, unknown);
  });
}

function readMessage(wire: JsonRecord, path: string, unknown: string[]): Message {
  const content = readContent(wire['content'], `${path}.content`, unknown);
  switch (wire['role']) {
    case 'system':
      return { role: 'system', content, path };
    case 'developer':
      return { role: 'system', isDeveloper: true, content, path };
    case 'user':
      return userMessage(wire['content'], path, content);
    case 'assistant':
      return { role: 'assistant', content: readAssistant(wire, content, path, unknown), path };
    case 'tool': {
      const callId = needText(wire['tool_call_id'], `${path}.tool_call_id`);
      const parts = content.filter((part) => part.type === 'text' || part.type === 'media');
      return { role: 'tool', content: [{ type: 'tool-result', callId, content: parts, isError: false, path }], path };
    }
    default:
      throw invalidRequest(`'${path}.role' must be system, developer, user, assistant or tool.`, `${path}.role`);
  }
}

function readAssistant(wire: JsonRecord, content: Part[], path: string, unknown: string[]): Part[] {
  const refusal = optionalText(wire['refusal'], `${path}.refusal`);
  const parts = withCitations(content, wire['annotations']);
  const calls: ToolCallPart[] = [];
  if (refusal !== undefined && refusal !== '') parts.push({ type: 'refusal', text: refusal, path: `${path}.refusal` });
  for (const [index, one] of optionalList(wire['tool_calls'], `${path}.tool_calls`).entries()) {
    const itemPath = `${path}.tool_calls[${index}]`;
    const call = needRecord(one, itemPath);
    const isCustom = call['type'] === 'custom';
    if (call['type'] !== undefined && call['type'] !== 'function' && !isCustom) {
      unknown.push(itemPath);
      continue;
    }
    unknown.push(...unknownFields(call, isCustom ? KNOWN_CUSTOM_CALL : KNOWN_CALL, `${itemPath}.`));
    calls.push(readToolCall(call, itemPath, isCustom));
  }
  return placeReasoning(readReasoning(wire, path), parts, calls);
}

/** They count characters of the whole content, so they go with its first text. */
function withCitations(content: Part[], annotations: unknown): Part[] {
  const citations = asList(annotations).flatMap((one) => readUrlCitation(asRecord(one)?.['url_citation']));
  const first = content.findIndex((part) => part.type === 'text');
  if (citations.length === 0 || first === -1) return [...content];
  return content.map((part, index) => (index === first && part.type === 'text' ? { ...part, citations } : part));
}

function readToolCall(wire: JsonRecord, path: string, isCustom: boolean): ToolCallPart {
  const kind = isCustom ? 'custom' : 'function';
  const called = needRecord(wire[kind], `${path}.${kind}`);
  const text = (name: string): string => needText(called[name], `${path}.${kind}.${name}`);
  const signature = readCallSignature(wire);
  return {
    type: 'tool-call',
    id: needText(wire['id'], `${path}.id`),
    ...(signature !== undefined && { signature: readSignature(signature, CHAT) }),
    path,
    name: text('name'),
    arguments: isCustom ? argumentsOf(text('input')) : text('arguments'),
  };
}

/** As this gateway wrote it: details where there are signatures, else the bare text. */
function readReasoning(wire: JsonRecord, path: string): PlacedReasoning[] {
  const details = readReasoningDetails(wire['reasoning_details']).flatMap((detail, index) => {
    const itemPath = `${path}.reasoning_details[${index}]`;
    const parts = reasoningOf(detail, itemPath, (value) => readSignature(value, CHAT));
    return parts.map((part) => ({ part, position: detail.position }));
  });
  if (details.length > 0) return details;
  const name = asText(wire['reasoning_content']) === undefined ? 'reasoning' : 'reasoning_content';
  const text = asText(wire[name]) ?? '';
  const part: ReasoningPart = { type: 'reasoning', text, path: `${path}.${name}` };
  return text === '' ? [] : [{ part, position: { content: 0, toolCalls: 0 } }];
}
