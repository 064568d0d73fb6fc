// The `messages` of a chat request: checked as the real service checks them, and read for their text.
import { checkLength, checkName } from '../../fields/check-fields.ts';
import { isObject, refuse, type WireObject } from '../../fields/refuse.ts';

export type ChatMessage = WireObject & { role: string };

/** What the service takes of the ids that it makes itself. */
export const longestCallId = 64;
const roles = ['system', 'developer', 'user', 'assistant', 'tool', 'function'];

export function checkMessages(messages: unknown): ChatMessage[] {
  if (messages === undefined)
    refuse('messages', "Missing required parameter: 'messages'.", 'missing_required_parameter');
  if (!Array.isArray(messages)) refuse('messages', "Invalid type for 'messages': expected an array of objects.");
  if (messages.length === 0) {
    refuse('messages', "Invalid 'messages': empty array. Expected an array with minimum length 1.", 'empty_array');
  }
  const knownCalls = new Set<unknown>();
  return messages.map((message: unknown, index) => checkMessage(message, `messages[${index}]`, knownCalls));
}

function checkMessage(message: unknown, at: string, knownCalls: Set<unknown>): ChatMessage {
  if (!isObject(message)) refuse(at, `Invalid type for '${at}': expected an object.`);
  const { role, content } = message;
  if (role === undefined)
    refuse(`${at}.role`, `Missing required parameter: '${at}.role'.`, 'missing_required_parameter');
  if (typeof role !== 'string' || !roles.includes(role)) {
    const supported = `Supported values are: '${roles.join("', '")}'.`;
    refuse(`${at}.role`, `Invalid value for '${at}.role'. ${supported}`, 'invalid_value');
  }
  if (role === 'assistant') rememberCalls(message, at, knownCalls);
  else if (content === undefined || content === null) {
    refuse(`${at}.content`, `Invalid value for '${at}.content': expected a string or an array, got null.`);
  }
  checkContent(content, `${at}.content`);
  if (role === 'tool') checkToolMessage(message, at, knownCalls);
  return { ...message, role };
}

function checkContent(content: unknown, at: string): void {
  if (content === undefined || content === null || typeof content === 'string') return;
  if (!Array.isArray(content)) refuse(at, `Invalid type for '${at}': expected a string or an array of objects.`);
  for (const [index, part] of content.entries()) {
    if (!isObject(part) || typeof part['type'] !== 'string') {
      refuse(
        `${at}[${index}].type`,
        `Missing required parameter: '${at}[${index}].type'.`,
        'missing_required_parameter',
      );
    }
    if (part['type'] === 'text' && typeof part['text'] !== 'string') {
      refuse(`${at}[${index}].text`, `Invalid type for '${at}[${index}].text': expected a string.`);
    }
  }
}

function rememberCalls(message: WireObject, at: string, knownCalls: Set<unknown>): void {
  const calls = message['tool_calls'] ?? undefined;
  if (calls === undefined) return;
  if (!Array.isArray(calls)) refuse(`${at}.tool_calls`, `Invalid type for '${at}.tool_calls': expected an array.`);
  for (const [index, call] of calls.entries()) {
    if (!isObject(call) || typeof call['id'] !== 'string') {
      refuse(`${at}.tool_calls[${index}].id`, `Invalid '${at}.tool_calls[${index}].id': expected a string.`);
    }
    checkLength(call['id'], `${at}.tool_calls[${index}].id`, longestCallId);
    const type = call['type'] === 'custom' ? 'custom' : 'function';
    const called = call[type];
    const name = isObject(called) ? called['name'] : undefined;
    if (typeof name === 'string') checkName(name, `${at}.tool_calls[${index}].${type}.name`);
    knownCalls.add(call['id']);
  }
}

function checkToolMessage(message: WireObject, at: string, knownCalls: Set<unknown>): void {
  const id = message['tool_call_id'];
  if (typeof id !== 'string') {
    refuse(`${at}.tool_call_id`, `Missing required parameter: '${at}.tool_call_id'.`, 'missing_required_parameter');
  }
  checkLength(id, `${at}.tool_call_id`, longestCallId);
  if (!knownCalls.has(id)) {
    refuse(`${at}.role`, "Messages with role 'tool' must be a response to a preceding message with 'tool_calls'.");
  }
}

/** The text of a message; other parts leave no trace. */
export function readText(message: WireObject | undefined): string {
  const content = message?.['content'];
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .flatMap((part: unknown) => (isObject(part) && typeof part['text'] === 'string' ? [part['text']] : []))
    .join('\n');
}

/** For directives, and therefore before any check. */
export function readUserTexts(body: unknown): string[] {
  const messages = isObject(body) ? body['messages'] : undefined;
  if (!Array.isArray(messages)) return [];
  return messages.flatMap((message: unknown) =>
    isObject(message) && message['role'] === 'user' ? [readText(message)] : [],
  );
}
