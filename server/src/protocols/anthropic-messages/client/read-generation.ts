// A messages request in the neutral form. The body was checked when it was read for the relay; here the rest is.
import { invalidRequest } from '../../../errors/gateway-error.ts';
import type { Message, Part } from '../../../neutral/conversation.ts';
import type { Generation } from '../../../neutral/generation.ts';
import { originsOf } from '../../json/drop-fields.ts';
import { asList, asText, type JsonRecord, needRecord, unknownFields } from '../../json/json-value.ts';
import { nothingSaid, splitResults, userMessage } from '../../json/user-content.ts';
import { settingPaths } from '../wire.ts';
import { readCacheMark, readContent } from './read-content.ts';
import { readSettings } from './read-settings.ts';
import { readTools } from './read-tools.ts';

/** Also for the OpenAPI document. */
export const knownFields: ReadonlySet<string> = new Set([
  ...Object.keys(originsOf(settingPaths)),
  'model',
  'messages',
  'system',
  'stream',
  'tools',
  'output_format',
  'cache_control',
]);
export const MESSAGE_FIELDS: ReadonlySet<string> = new Set(['role', 'content']);

/** Throws invalid_request that names the field. */
export function readGeneration(body: JsonRecord): Generation {
  const unknown = unknownFields(body, knownFields);
  const messages = [
    ...readSystem(body['system'], unknown),
    ...asList(body['messages']).flatMap((message, index) => readMessage(message, `messages[${index}]`, unknown)),
  ];
  if (messages.length === 0) throw nothingSaid('messages[0].content');
  markLast(messages, body);
  return {
    model: asText(body['model']) ?? '',
    stream: body['stream'] === true,
    messages,
    tools: readTools(body['tools'], unknown),
    settings: readSettings(body, unknown),
    showsUsage: true,
    unknown,
  };
}

function readSystem(system: unknown, unknown: string[]): Message[] {
  if (system === undefined || system === null || system === '') return [];
  const content = readContent(system, 'system', unknown);
  const other = content.find((part) => part.type !== 'text');
  if (other !== undefined) throw invalidRequest(`'${other.path}.type' must be 'text'.`, `${other.path}.type`);
  return content.length === 0 ? [] : [{ role: 'system', content, path: 'system' }];
}

function readMessage(value: unknown, path: string, unknown: string[]): Message[] {
  const message = needRecord(value, path);
  unknown.push(...unknownFields(message, MESSAGE_FIELDS, `${path}.`));
  const role = message['role'];
  if (role !== 'user' && role !== 'assistant' && role !== 'system')
    throw invalidRequest(`'${path}.role' must be 'user', 'assistant' or 'system'.`, `${path}.role`);
  const content = readContent(message['content'], `${path}.content`, unknown);
  for (const part of content) refuseMisplaced(part, role);
  if (role !== 'user') return [{ role, content, path }];
  const turn = userMessage(message['content'], path, content);
  return turn.lost === undefined ? splitResults(turn.content, path) : [turn];
}

function refuseMisplaced({ type, path }: Part, role: 'user' | 'assistant' | 'system'): void {
  const onlyIn = type === 'tool-result' ? 'user' : type === 'tool-call' || type === 'reasoning' ? 'assistant' : role;
  if (onlyIn !== role) throw invalidRequest(`'${path}' may only stand in a message of the ${onlyIn}.`, path);
}

/** A mark on the whole request stands for one on the last block. */
function markLast(messages: Message[], body: JsonRecord): void {
  const mark = readCacheMark(body, '');
  const part = messages.at(-1)?.content.at(-1);
  if (mark !== undefined && part !== undefined) part.cacheMark ??= mark;
}
