// The messages of a request to /v2/chat in the neutral form.
import { invalidRequest } from '../../../errors/gateway-error.ts';
import type { Message, Part, TextPart, ToolCallPart } from '../../../neutral/conversation.ts';
import {
  type JsonRecord,
  needList,
  needRecord,
  needText,
  optionalList,
  optionalText,
  unknownFields,
} from '../../json/json-value.ts';
import { userMessage } from '../../json/user-content.ts';
import { readImageUrl } from '../../openai-shared/media.ts';

const FIELDS: Readonly<Record<string, ReadonlySet<string>>> = {
  system: new Set(['role', 'content']),
  user: new Set(['role', 'content']),
  assistant: new Set(['role', 'content', 'tool_calls', 'tool_plan', 'citations']),
  tool: new Set(['role', 'content', 'tool_call_id']),
};
const CALL_FIELDS: ReadonlySet<string> = new Set(['id', 'type', 'function']);

export function readMessages(value: unknown, unknown: string[]): Message[] {
  return needList(value, 'messages').map((one, index) => {
    const path = `messages[${index}]`;
    const wire = needRecord(one, path);
    const role = wire['role'];
    const fields = typeof role === 'string' && Object.hasOwn(FIELDS, role) ? FIELDS[role] : undefined;
    if (fields === undefined)
      throw invalidRequest(`'${path}.role' must be system, user, assistant or tool.`, `${path}.role`);
    unknown.push(...unknownFields(wire, fields, `${path}.`));
    const content = readContent(wire['content'], `${path}.content`, unknown);
    if (role === 'user') return userMessage(wire['content'], path, content);
    if (role === 'assistant') return { role, content: readAssistant(wire, content, path, unknown), path };
    if (role !== 'tool') return { role: 'system', content, path };
    const callId = needText(wire['tool_call_id'], `${path}.tool_call_id`);
    const parts = content.filter((part) => part.type === 'text' || part.type === 'media');
    return { role, content: [{ type: 'tool-result', callId, content: parts, isError: false, path }], path };
  });
}

function readContent(value: unknown, path: string, unknown: string[]): Part[] {
  if (value === undefined || value === null) return [];
  if (typeof value === 'string') return value === '' ? [] : [{ type: 'text', text: value, path }];
  if (!Array.isArray(value)) throw invalidRequest(`'${path}' must be a string or an array.`, path);
  return value.flatMap((one, index): Part[] => {
    const partPath = `${path}[${index}]`;
    const wire = needRecord(one, partPath);
    const part = readPart(wire, partPath);
    if (part === undefined) unknown.push(partPath);
    return part === undefined ? [] : [part];
  });
}

function readPart(wire: JsonRecord, path: string): Part | undefined {
  switch (wire['type']) {
    case 'text':
      return { type: 'text', text: needText(wire['text'], `${path}.text`), path };
    case 'thinking':
      return { type: 'reasoning', text: needText(wire['thinking'], `${path}.thinking`), path };
    case 'image_url':
      return readImageUrl(wire['image_url'], path);
    case 'document':
      return readDocumentText(needRecord(wire['document'], `${path}.document`), path);
    default:
      return undefined;
  }
}

/** What a tool gave: its fields as JSON. */
function readDocumentText(document: JsonRecord, path: string): TextPart {
  const data = needRecord(document['data'], `${path}.document.data`);
  return { type: 'text', text: JSON.stringify(data), path };
}

/** The plan is what the model says before it calls. */
function readAssistant(wire: JsonRecord, content: Part[], path: string, unknown: string[]): Part[] {
  const plan = optionalText(wire['tool_plan'], `${path}.tool_plan`) ?? '';
  const parts: Part[] = plan === '' ? content : [...content, { type: 'text', text: plan, path: `${path}.tool_plan` }];
  const calls = optionalList(wire['tool_calls'], `${path}.tool_calls`).map((one, index): ToolCallPart => {
    const callPath = `${path}.tool_calls[${index}]`;
    const call = needRecord(one, callPath);
    unknown.push(...unknownFields(call, CALL_FIELDS, `${callPath}.`));
    const called = needRecord(call['function'], `${callPath}.function`);
    return {
      type: 'tool-call',
      id: needText(call['id'], `${callPath}.id`),
      name: needText(called['name'], `${callPath}.function.name`),
      arguments: optionalText(called['arguments'], `${callPath}.function.arguments`) ?? '{}',
      path: callPath,
    };
  });
  return [...parts, ...calls];
}
