// The `input` of a response: checked as the real service checks it, and turned into the messages that chat answers.
// https://platform.openai.com/docs/api-reference/responses/create#responses-create-input
import { checkLength, checkName, refuseMissing } from '../../fields/check-fields.ts';
import { isObject, refuse, type WireObject } from '../../fields/refuse.ts';
import { type ChatMessage, longestCallId } from '../chat/messages.ts';

const roles = ['user', 'assistant', 'system', 'developer'];
const inputParts = ['input_text', 'input_image', 'input_file', 'input_audio'];
const outputParts = ['output_text', 'refusal'];
/** Calls with the field of their text, and how their outputs are called. */
const calls = [
  { call: 'function_call', textField: 'arguments', output: 'function_call_output', words: 'function call' },
  { call: 'custom_tool_call', textField: 'input', output: 'custom_tool_call_output', words: 'custom tool call' },
];
const otherTypes = [
  'reasoning',
  'compaction',
  'item_reference',
  ...calls.flatMap(({ call, output }) => [call, output]),
];

export function readItems(input: unknown): WireObject[] {
  if (input === undefined || input === null) refuseMissing('input');
  if (typeof input === 'string') {
    return [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: input }] }];
  }
  if (!Array.isArray(input)) refuse('input', "Invalid type for 'input': expected a string or an array of objects.");
  if (input.length === 0) refuse('input', "Invalid 'input': empty array.", 'empty_array');
  return input.map((item: unknown, index) => checkItem(item, `input[${index}]`));
}

function checkItem(item: unknown, at: string): WireObject {
  if (!isObject(item)) refuse(at, `Invalid type for '${at}': expected an object.`);
  const type = item['type'] ?? (item['role'] === undefined ? undefined : 'message');
  if (type === undefined) refuseMissing(`${at}.type`);
  if (type === 'message') return checkMessage(item, at);
  if (typeof type !== 'string' || !otherTypes.includes(type)) {
    refuse(`${at}.type`, `Invalid value for '${at}.type': ${JSON.stringify(type)}.`, 'invalid_value');
  }
  if (type === 'compaction') requireText(item, 'encrypted_content', at);
  const kind = calls.find(({ call, output }) => call === type || output === type);
  if (kind === undefined) return item;
  requireText(item, 'call_id', at);
  checkLength(String(item['call_id']), `${at}.call_id`, longestCallId);
  if (type === kind.call) {
    for (const field of ['name', kind.textField]) requireText(item, field, at);
    checkName(String(item['name']), `${at}.name`);
  } else {
    const { output } = item;
    if (Array.isArray(output)) checkParts(output, `${at}.output`, inputParts);
    else requireText(item, 'output', at);
  }
  return item;
}

function checkMessage(item: WireObject, at: string): WireObject {
  const { role, content } = item;
  if (typeof role !== 'string' || !roles.includes(role)) {
    refuse(
      `${at}.role`,
      `Invalid value for '${at}.role'. Supported values are: '${roles.join("', '")}'.`,
      'invalid_value',
    );
  }
  const parts = role === 'assistant' ? outputParts : inputParts;
  if (typeof content === 'string') return { ...item, type: 'message', content: [{ type: parts[0], text: content }] };
  if (content === undefined || content === null) refuseMissing(`${at}.content`);
  checkParts(content, `${at}.content`, parts);
  return { ...item, type: 'message' };
}

function checkParts(parts: unknown, at: string, allowed: readonly string[]): void {
  if (!Array.isArray(parts)) refuse(at, `Invalid type for '${at}': expected a string or an array of objects.`);
  for (const [index, part] of parts.entries()) {
    const path = `${at}[${index}]`;
    if (!isObject(part)) refuse(path, `Invalid type for '${path}': expected an object.`);
    const { type } = part;
    if (typeof type !== 'string' || !allowed.includes(type)) {
      const supported = `Supported values are: '${allowed.join("', '")}'.`;
      refuse(`${path}.type`, `Invalid value: ${JSON.stringify(type)}. ${supported}`, 'invalid_value');
    }
    if (type.endsWith('_text')) requireText(part, 'text', path);
  }
}

function requireText(item: WireObject, field: string, at: string): void {
  if (item[field] === undefined || item[field] === null) refuseMissing(`${at}.${field}`);
  if (typeof item[field] !== 'string')
    refuse(`${at}.${field}`, `Invalid type for '${at}.${field}': expected a string.`);
}

/** Every output answers a call, and every call has its output. */
export function checkCalls(items: readonly WireObject[]): void {
  const ids = (type: string): string[] =>
    items.filter((item) => item['type'] === type).map((item) => item['call_id'] as string);
  for (const { call, output, words } of calls) {
    const [made, answered] = [ids(call), ids(output)];
    const lost = answered.find((id) => !made.includes(id));
    if (lost !== undefined)
      refuse('input', `No tool call found for ${words} output with call_id ${lost}.`, 'invalid_value');
    const open = made.find((id) => !answered.includes(id));
    if (open !== undefined) refuse('input', `No tool output found for ${words} ${open}.`, 'invalid_value');
  }
}

/** Calls and their outputs become what chat calls them; reasoning and references leave no trace. */
export function writeMessages(items: readonly WireObject[]): ChatMessage[] {
  return items.flatMap((item): ChatMessage[] => {
    switch (item['type']) {
      case 'message':
        return [{ role: String(item['role']), content: writeParts(item['content']) }];
      case 'function_call': {
        const called = { name: item['name'], arguments: item['arguments'] };
        const toolCall = { id: item['call_id'], type: 'function', function: called };
        return [{ role: 'assistant', content: null, tool_calls: [toolCall] }];
      }
      case 'custom_tool_call': {
        const custom = { name: item['name'], input: item['input'] };
        return [{ role: 'assistant', content: null, tool_calls: [{ id: item['call_id'], type: 'custom', custom }] }];
      }
      case 'function_call_output':
      case 'custom_tool_call_output':
        return [{ role: 'tool', tool_call_id: item['call_id'], content: writeParts(item['output']) }];
      case 'compaction':
        return [{ role: 'assistant', content: String(item['encrypted_content']) }];
      default:
        return [];
    }
  });
}

function writeParts(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  return content.map((part: WireObject) =>
    typeof part['text'] === 'string' ? { type: 'text', text: part['text'] } : part,
  );
}
