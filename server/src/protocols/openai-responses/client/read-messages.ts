// The input items of a responses request as a neutral conversation. Items of one turn stand side by side here; the turns
// are put together again.
import { invalidRequest } from '../../../errors/gateway-error.ts';
import type { Message, Part, ReasoningPart } from '../../../neutral/conversation.ts';
import { readSignatureOrSeal } from '../../../neutral/signature.ts';
import { asText, type JsonRecord, needList, needRecord, needText, unknownFields } from '../../json/json-value.ts';
import { nothingKnown, unknownPart, userMessage } from '../../json/user-content.ts';
import { argumentsOf } from '../../custom-tools/custom-tool.ts';
import { reasoningText, sealOf, signatureOf } from '../reasoning.ts';
import { RESPONSES } from '../wire.ts';
import { readContent } from './read-content.ts';

/** By the type of the item; `id` and `status` are those of an earlier answer and mean nothing elsewhere. */
export const KNOWN: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['message', new Set(['type', 'id', 'status', 'role', 'content'])],
  ['function_call', new Set(['type', 'id', 'status', 'call_id', 'name', 'arguments'])],
  ['function_call_output', new Set(['type', 'id', 'status', 'call_id', 'output'])],
  ['custom_tool_call', new Set(['type', 'id', 'status', 'call_id', 'name', 'input'])],
  ['custom_tool_call_output', new Set(['type', 'id', 'status', 'call_id', 'output'])],
  ['reasoning', new Set(['type', 'id', 'status', 'summary', 'content', 'encrypted_content'])],
]);

export function readMessages(value: unknown, unknown: string[]): Message[] {
  if (value === undefined || value === null) return [];
  if (typeof value === 'string') {
    return [{ role: 'user', content: [{ type: 'text', text: value, path: 'input' }], path: 'input' }];
  }
  const messages: Message[] = [];
  const items = needList(value, 'input');
  for (const [index, one] of items.entries()) {
    const path = `input[${index}]`;
    const wire = needRecord(one, path);
    const type = asText(wire['type']) ?? 'message';
    const known = KNOWN.get(type);
    unknown.push(...(known === undefined ? [path] : unknownFields(wire, known, `${path}.`)));
    const read = readItem(type, wire, path, unknown);
    if (read === undefined) continue;
    const last = messages.at(-1);
    if (last !== undefined && isSameTurn(last, read)) last.content.push(...read.content);
    else messages.push(read);
  }
  if (messages.length === 0) throw nothingKnown(unknownPart(items[0], 'input[0]'));
  return messages;
}

/** What the assistant said, thought and called is one turn; so are the results of one round of tools. */
function isSameTurn(last: Message, next: Message): boolean {
  return last.role === next.role && (next.role === 'assistant' || next.role === 'tool');
}

function readItem(type: string, wire: JsonRecord, path: string, unknown: string[]): Message | undefined {
  switch (type) {
    case 'message':
      return readMessage(wire, path, unknown);
    case 'function_call':
    case 'custom_tool_call':
      return assistant(path, {
        type: 'tool-call',
        id: needText(wire['call_id'], `${path}.call_id`),
        name: needText(wire['name'], `${path}.name`),
        arguments:
          type === 'function_call'
            ? needText(wire['arguments'], `${path}.arguments`)
            : argumentsOf(needText(wire['input'], `${path}.input`)),
        path,
      });
    case 'custom_tool_call_output':
    case 'function_call_output': {
      const callId = needText(wire['call_id'], `${path}.call_id`);
      const output = readContent(wire['output'], `${path}.output`, unknown);
      const content = output.filter((part) => part.type === 'text' || part.type === 'media');
      const isError = wire['status'] === 'incomplete';
      return { role: 'tool', content: [{ type: 'tool-result', callId, content, isError, path }], path };
    }
    case 'reasoning':
      return assistant(path, readReasoning(wire, path));
    default:
      return undefined;
  }
}

function assistant(path: string, part: Part): Message {
  return { role: 'assistant', content: [part], path };
}

function readMessage(wire: JsonRecord, path: string, unknown: string[]): Message {
  const content = readContent(wire['content'], `${path}.content`, unknown);
  switch (wire['role']) {
    case 'user':
      return userMessage(wire['content'], path, content);
    case 'assistant':
    case 'system':
      return { role: wire['role'], content, path };
    case 'developer':
      return { role: 'system', isDeveloper: true, content, path };
    default:
      throw invalidRequest(`'${path}.role' must be user, assistant, system or developer.`, `${path}.role`);
  }
}

/** Sealed by an upstream of this protocol, or by this gateway on behalf of another. */
function readReasoning(wire: JsonRecord, path: string): ReasoningPart {
  const part: ReasoningPart = { type: 'reasoning', text: reasoningText(wire), path };
  const sealed = sealOf(wire);
  if (sealed === undefined) return part;
  const signature = readSignatureOrSeal(sealed, RESPONSES);
  if (signature.signature?.protocol === RESPONSES) return { ...part, signature: signatureOf(wire, sealed) };
  return { ...part, ...signature };
}
