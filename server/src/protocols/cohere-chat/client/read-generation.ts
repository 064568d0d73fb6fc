// A request to /v2/chat in the neutral form. The body was checked when it was read for the relay; here the rest is.
import { invalidRequest } from '../../../errors/gateway-error.ts';
import type {
  Generation,
  OutputFormat,
  ReasoningRequest,
  SettingPaths,
  Settings,
} from '../../../neutral/generation.ts';
import {
  asRecord,
  asText,
  type JsonRecord,
  needBody,
  optionalNumber,
  optionalRecord,
  present,
  unknownFields,
} from '../../json/json-value.ts';
import { chatFrames } from '../../openai-shared/frames.ts';
import { askedOf, readStop } from '../../openai-shared/settings.ts';
import { readTools } from '../../openai-shared/tools.ts';
import { withDocuments } from './read-documents.ts';
import { readMessages } from './read-messages.ts';

export const settingPaths: SettingPaths = {
  maxOutputTokens: 'max_tokens',
  temperature: 'temperature',
  topP: 'p',
  topK: 'k',
  stop: 'stop_sequences',
  seed: 'seed',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
  toolChoice: 'tool_choice',
  format: 'response_format',
  reasoning: 'thinking',
};

/** Fields that matter only when they ask for something that others have no place for. */
const OPTIONAL = ['logprobs', 'priority'];
const KNOWN: ReadonlySet<string> = new Set([
  ...Object.values(settingPaths),
  'model',
  'messages',
  'stream',
  'tools',
  'strict_tools',
  'documents',
  'citation_options',
  'safety_mode',
  ...OPTIONAL,
]);
const USUAL_SAFETY = ['OFF', 'NONE', 'CONTEXTUAL'];
const NO_CITATIONS = ['OFF', 'DISABLED'];

export function readGeneration(body: Buffer): Generation {
  const wire = needBody(body);
  const unknown = unknownFields(wire, KNOWN);
  unknown.push(...askedOf(wire, OPTIONAL));
  if (asks(wire['safety_mode'], USUAL_SAFETY)) unknown.push('safety_mode');
  if (asks(asRecord(wire['citation_options'])?.['mode'], NO_CITATIONS)) unknown.push('citation_options');
  const strict = wire['strict_tools'] === true;
  return {
    model: asText(wire['model']) ?? '',
    stream: wire['stream'] === true,
    showsUsage: true,
    messages: withDocuments(readMessages(wire['messages'], unknown), wire['documents']),
    tools: readTools(wire['tools'], chatFrames, unknown).map((tool) => (strict ? { strict, ...tool } : tool)),
    settings: readSettings(wire, unknown),
    unknown,
  };
}

function asks(value: unknown, usual: readonly string[]): boolean {
  return typeof value === 'string' && !usual.includes(value.toUpperCase());
}

function readSettings(wire: JsonRecord, unknown: string[]): Settings {
  const number = (name: string): number | undefined => optionalNumber(wire[name], name);
  const topK = number('k');
  return present<Settings>({
    maxOutputTokens: number('max_tokens'),
    temperature: number('temperature'),
    topP: number('p'),
    topK: topK === 0 ? undefined : topK, // 0 turns it off
    stop: readStop(wire['stop_sequences']),
    seed: number('seed'),
    presencePenalty: number('presence_penalty'),
    frequencyPenalty: number('frequency_penalty'),
    toolChoice: readToolChoice(asText(wire['tool_choice'])),
    format: readFormat(wire['response_format'], unknown),
    reasoning: readThinking(wire['thinking']),
  });
}

function readToolChoice(choice: string | undefined): Settings['toolChoice'] {
  if (choice === undefined) return undefined;
  const word = choice.toLowerCase();
  if (word !== 'required' && word !== 'none')
    throw invalidRequest("'tool_choice' must be REQUIRED or NONE.", 'tool_choice');
  return { type: word };
}

/** `schema` is the older name. */
function readFormat(value: unknown, unknown: string[]): OutputFormat | undefined {
  const format = optionalRecord(value, 'response_format');
  if (format === undefined || format['type'] === 'text') return undefined;
  if (format['type'] !== 'json_object') {
    unknown.push('response_format');
    return undefined;
  }
  const name = (format['json_schema'] ?? null) === null ? 'schema' : 'json_schema';
  const schema = optionalRecord(format[name], `response_format.${name}`);
  return schema === undefined ? { type: 'json' } : { type: 'schema', schema };
}

function readThinking(value: unknown): ReasoningRequest | undefined {
  const thinking = optionalRecord(value, 'thinking');
  if (thinking === undefined) return undefined;
  if (thinking['type'] === 'disabled') return { effort: 'none' };
  const budget = optionalNumber(thinking['token_budget'], 'thinking.token_budget');
  return { budget: budget ?? -1, isShown: true };
}
