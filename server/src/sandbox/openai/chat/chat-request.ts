// Reads the body of a chat request: strict about the fields it knows, silent about those it does not.
// https://platform.openai.com/docs/api-reference/chat/create
import {
  checkBody,
  checkBoolean,
  checkLength,
  checkMetadata,
  checkModelName,
  checkName,
  checkNumber,
  checkText,
  type NumberRule,
} from '../../fields/check-fields.ts';
import { isObject, refuse, type WireObject } from '../../fields/refuse.ts';
import { readIncludeUsage, readStop } from '../text-options.ts';
import { type ChatMessage, checkMessages } from './messages.ts';
import { checkTools, type ToolChoice, type ToolFunction } from './tools.ts';

export type ChatRequest = {
  model: string;
  messages: ChatMessage[];
  stream: boolean;
  includeUsage: boolean;
  choices: number;
  maxTokens: number | undefined;
  stop: string[];
  tools: ToolFunction[];
  toolChoice: ToolChoice;
  parallelToolCalls: boolean;
  /** Undefined for plain text; otherwise what the JSON must fit, `{}` for any object. */
  answerSchema: WireObject | undefined;
  serviceTier: unknown;
  /** Tools of the service itself. */
  serverTools: string[];
};

const numberRules: Readonly<Record<string, NumberRule>> = {
  temperature: { least: 0, most: 2 },
  top_p: { least: 0, most: 1 },
  presence_penalty: { least: -2, most: 2 },
  frequency_penalty: { least: -2, most: 2 },
  n: { least: 1, most: 128, whole: true },
  max_tokens: { least: 1, most: Infinity, whole: true },
  max_completion_tokens: { least: 1, most: Infinity, whole: true },
  seed: { least: -Infinity, most: Infinity, whole: true },
  top_logprobs: { least: 0, most: 20, whole: true },
};
export const shortFields = ['safety_identifier', 'prompt_cache_key'];
export const longestIdentifier = 64;
const booleanFields = ['stream', 'logprobs', 'parallel_tool_calls', 'store'];

export function readChatRequest(given: unknown): ChatRequest {
  const body = checkBody(given);
  const model = checkModelName(body['model']);
  const messages = checkMessages(body['messages']);
  for (const [field, rule] of Object.entries(numberRules)) checkNumber(body[field], field, rule);
  for (const field of booleanFields) checkBoolean(body[field], field);
  checkMetadata(body['metadata']);
  for (const field of shortFields) checkLength(checkText(body[field], field) ?? '', field, longestIdentifier);
  const stream = body['stream'] === true;
  const limits = [body['max_tokens'], body['max_completion_tokens']].filter((limit) => typeof limit === 'number');
  return {
    model,
    messages,
    stream,
    includeUsage: readIncludeUsage(body['stream_options'], stream),
    choices: typeof body['n'] === 'number' ? body['n'] : 1,
    maxTokens: limits.length === 0 ? undefined : Math.min(...limits),
    stop: readStop(body['stop']),
    ...checkTools(body['tools'], body['tool_choice']),
    parallelToolCalls: body['parallel_tool_calls'] !== false,
    answerSchema: readAnswerSchema(body['response_format']),
    serviceTier: body['service_tier'],
    serverTools: isObject(body['web_search_options']) ? ['web_search'] : [],
  };
}

function readAnswerSchema(format: unknown): WireObject | undefined {
  if (format === undefined || format === null) return undefined;
  if (!isObject(format)) refuse('response_format', "Invalid type for 'response_format': expected an object.");
  if (format['type'] === 'text') return undefined;
  if (format['type'] === 'json_object') return {};
  const at = 'response_format.json_schema';
  if (format['type'] !== 'json_schema') {
    const message =
      "Invalid value for 'response_format.type'. Supported values are: 'json_object', 'json_schema', 'text'.";
    refuse('response_format.type', message, 'invalid_value');
  }
  const described = format['json_schema'];
  if (!isObject(described) || typeof described['name'] !== 'string') {
    refuse(`${at}.name`, `Missing required parameter: '${at}.name'.`, 'missing_required_parameter');
  }
  checkName(described['name'], `${at}.name`);
  const schema = described['schema'] ?? {};
  if (!isObject(schema)) refuse(`${at}.schema`, `Invalid type for '${at}.schema': expected an object.`);
  return schema;
}
