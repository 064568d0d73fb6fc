// The input items of a responses request as a neutral conversation. Items of one turn stand side by side here; the turns
// are put together again.
import { invalidRequest } from '../../../errors/gateway-error.ts';
import type { Message, Part, ReasoningPart } from '../../../neutral/conversation.ts';
import { readSignature } from '../../../neutral/signature.ts';
import { asList, asRecord, asText, type JsonRecord, needList, needRecord, needText } from '../../json-value.ts';
import { readContent } from './read-content.ts';
import { RESPONSES } from '../wire.ts';

export function readInput(value: unknown, unknown: string[]): Message[] {
  if (value === undefined || value === null) return [];
  if (typeof value === 'string') {
    return [{ role: 'user', content: [{ type: 'text', text: value, path: 'input' }], path: 'input' }];
  }
  const messages: Message[] = [];
  for (const [index, one] of needList(value, 'input').entries()) {
    const path = `input[${index}]`;
    const read = readItem(needRecord(one, path), path, unknown);
    if (read === undefined) unknown.push(path);
    else if (isSameTurn(messages.at(-1), read)) messages.at(-1)?.content.push(...read.content);
    else messages.push(read);
  }
  return messages;
}

/** What the assistant said, thought and called is one turn; so are the results of one round of tools. */
function isSameTurn(last: Message | undefined, next: Message): boolean {
  return last !== undefined && last.role === next.role && (next.role === 'assistant' || next.role === 'tool');
}

function readItem(wire: JsonRecord, path: string, unknown: string[]): Message | undefined {
  const type = asText(wire['type']) ?? (wire['role'] === undefined ? '' : 'message');
  switch (type) {
    case 'message':
      return readMessage(wire, path, unknown);
    case 'function_call':
      return assistant(path, {
        type: 'tool-call',
        id: needText(wire['call_id'], `${path}.call_id`),
        name: needText(wire['name'], `${path}.name`),
        arguments: needText(wire['arguments'], `${path}.arguments`),
        path,
      });
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
    case 'assistant':
    case 'system':
      return { role: wire['role'], content, path };
    case 'developer':
      return { role: 'system', isDeveloper: true, content, path };
    default:
      throw invalidRequest(`'${path}.role' must be user, assistant, system or developer.`, `${path}.role`);
  }
}

function readReasoning(wire: JsonRecord, path: string): ReasoningPart {
  const texts = [...asList(wire['summary']), ...asList(wire['content'])];
  const text = texts.map((one) => asText(asRecord(one)?.['text']) ?? '').join('\n\n');
  const sealed = asText(wire['encrypted_content']);
  const signature = sealed === undefined ? undefined : signatureOf(wire, sealed);
  return { type: 'reasoning', text, ...(signature !== undefined && { signature }), path };
}

/** Of our own making for a foreign upstream, or of this protocol's: then its id goes with it. */
function signatureOf(wire: JsonRecord, sealed: string): ReasoningPart['signature'] {
  const signature = readSignature(sealed, RESPONSES);
  if (signature.protocol !== RESPONSES) return signature;
  return { protocol: RESPONSES, value: `${asText(wire['id']) ?? ''}:${signature.value}` };
}
