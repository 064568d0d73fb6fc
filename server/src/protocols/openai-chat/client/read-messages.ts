// The messages of a chat request in the neutral form.
import { invalidRequest } from '../../../errors/gateway-error.ts';
import type { Message, Part, ReasoningPart, ToolCallPart } from '../../../neutral/conversation.ts';
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
} from '../../json-value.ts';
import { readUrlCitation } from '../../openai-shared/citations.ts';
import { readCallSignature, readReasoningDetails, reasoningOf } from '../reasoning-details.ts';
import { CHAT } from '../wire.ts';
import { readContent } from './read-content.ts';

const KNOWN = new Set([
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
const KNOWN_CALL = new Set(['id', 'type', 'function', 'index', 'extra_content']);

export function readMessages(value: unknown, unknown: string[]): Message[] {
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
      return { role: 'user', content, path };
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
  const parts: Part[] = [...readReasoning(wire, path), ...withCitations(content, wire['annotations'])];
  if (refusal !== undefined && refusal !== '') parts.push({ type: 'refusal', text: refusal, path: `${path}.refusal` });
  for (const [index, one] of optionalList(wire['tool_calls'], `${path}.tool_calls`).entries()) {
    const place = `${path}.tool_calls[${index}]`;
    const call = needRecord(one, place);
    if (call['type'] !== undefined && call['type'] !== 'function') {
      unknown.push(place);
      continue;
    }
    unknown.push(...unknownFields(call, KNOWN_CALL, `${place}.`));
    parts.push(readToolCall(call, place));
  }
  return parts;
}

/** They count characters of the whole content, so they go with its first text. */
function withCitations(content: Part[], annotations: unknown): Part[] {
  const citations = asList(annotations).flatMap((one) => readUrlCitation(asRecord(one)?.['url_citation']));
  const first = content.findIndex((part) => part.type === 'text');
  if (citations.length === 0 || first === -1) return content;
  return content.map((part, index) => (index === first && part.type === 'text' ? { ...part, citations } : part));
}

function readToolCall(wire: JsonRecord, path: string): ToolCallPart {
  const called = needRecord(wire['function'], `${path}.function`);
  const signature = readCallSignature(wire);
  return {
    type: 'tool-call',
    id: needText(wire['id'], `${path}.id`),
    name: needText(called['name'], `${path}.function.name`),
    arguments: needText(called['arguments'], `${path}.function.arguments`),
    ...(signature !== undefined && { signature: readSignature(signature, CHAT) }),
    path,
  };
}

/** As this gateway wrote it: details where there are signatures, else the bare text. */
function readReasoning(wire: JsonRecord, path: string): ReasoningPart[] {
  const details = readReasoningDetails(wire['reasoning_details']).flatMap((detail, index) =>
    reasoningOf(detail, `${path}.reasoning_details[${index}]`, (value) => readSignature(value, CHAT)),
  );
  if (details.length > 0) return details;
  const name = asText(wire['reasoning_content']) === undefined ? 'reasoning' : 'reasoning_content';
  const text = asText(wire[name]) ?? '';
  return text === '' ? [] : [{ type: 'reasoning', text, path: `${path}.${name}` }];
}
