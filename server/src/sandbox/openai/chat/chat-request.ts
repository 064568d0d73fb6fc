// Reads the body of a chat request: strict about the fields it knows, silent about those it does not.
// https://platform.openai.com/docs/api-reference/chat/create
import { type ChatMessage, checkMessages } from './messages.ts';
import { isObject, refuse, type WireObject } from '../refuse.ts';
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
};

type NumberRule = { least: number; most: number; whole?: boolean };

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
const booleanFields = ['stream', 'logprobs', 'parallel_tool_calls', 'store'];

export function readChatRequest(body: unknown): ChatRequest {
  if (!isObject(body)) refuse('body', 'The body of the request must be a JSON object.');
  const { model } = body;
  if (model === undefined) refuse('model', 'You must provide a model parameter.', 'missing_required_parameter');
  if (typeof model !== 'string') refuse('model', "Invalid type for 'model': expected a string.");
  const messages = checkMessages(body['messages']);
  for (const [field, rule] of Object.entries(numberRules)) checkNumber(body[field], field, rule);
  for (const field of booleanFields) checkBoolean(body[field], field);
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
  };
}

function checkNumber(value: unknown, field: string, { least, most, whole }: NumberRule): void {
  if (value === undefined || value === null) return;
  const expected = whole ? 'an integer' : 'a number';
  if (typeof value !== 'number' || (whole && !Number.isInteger(value))) {
    refuse(field, `Invalid type for '${field}': expected ${expected}.`);
  }
  if (value < least) {
    const message = `Invalid '${field}': below minimum value. Expected a value >= ${least}, but got ${value} instead.`;
    refuse(field, message, whole ? 'integer_below_min_value' : 'decimal_below_min_value');
  }
  if (value > most) {
    const message = `Invalid '${field}': above maximum value. Expected a value <= ${most}, but got ${value} instead.`;
    refuse(field, message, whole ? 'integer_above_max_value' : 'decimal_above_max_value');
  }
}

function checkBoolean(value: unknown, field: string): void {
  if (value === undefined || value === null || typeof value === 'boolean') return;
  refuse(field, `Invalid type for '${field}': expected a boolean.`);
}

function readIncludeUsage(options: unknown, stream: boolean): boolean {
  if (options === undefined || options === null) return false;
  if (!stream) {
    refuse(
      'stream_options',
      "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
      'invalid_value',
    );
  }
  if (!isObject(options)) refuse('stream_options', "Invalid type for 'stream_options': expected an object.");
  checkBoolean(options['include_usage'], 'stream_options.include_usage');
  return options['include_usage'] === true;
}

function readStop(stop: unknown): string[] {
  if (stop === undefined || stop === null) return [];
  const list: unknown[] = Array.isArray(stop) ? stop : [stop];
  const texts = list.filter((one) => typeof one === 'string');
  if (texts.length < list.length) refuse('stop', "Invalid type for 'stop': expected a string or an array of strings.");
  if (texts.length > 4) refuse('stop', "Invalid 'stop': array too long. Expected at most 4.", 'array_above_max_length');
  return texts.filter((one) => one !== '');
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
  const schema = described['schema'] ?? {};
  if (!isObject(schema)) refuse(`${at}.schema`, `Invalid type for '${at}.schema': expected an object.`);
  return schema;
}
