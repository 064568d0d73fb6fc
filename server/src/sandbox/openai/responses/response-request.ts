// Reads the body of a response request: strict about the fields it knows, silent about those it does not.
// https://platform.openai.com/docs/api-reference/responses/create
import {
  checkBody,
  checkBoolean,
  checkLength,
  checkMetadata,
  checkModelName,
  checkName,
  checkNumber,
  checkText,
  refuseMissing,
} from '../../fields/check-fields.ts';
import { isObject, refuse, type WireObject } from '../../fields/refuse.ts';
import { serverToolNames } from '../../text/server-side.ts';
import { longestIdentifier, shortFields } from '../chat/chat-request.ts';
import type { ToolChoice, ToolFunction } from '../chat/tools.ts';
import { readItems } from './input-items.ts';
import { readTools, readToolChoice } from './response-tools.ts';

export type ResponseRequest = {
  body: WireObject;
  model: string;
  items: WireObject[];
  instructions: string | undefined;
  previousId: string | undefined;
  stream: boolean;
  store: boolean;
  background: boolean;
  maxTokens: number | undefined;
  tools: ToolFunction[];
  toolChoice: ToolChoice;
  parallelToolCalls: boolean;
  answerSchema: WireObject | undefined;
  serviceTier: unknown;
  /** Tools of the service itself. */
  serverTools: string[];
};

export function readResponseRequest(given: unknown): ResponseRequest {
  const body = checkBody(given);
  const model = checkModelName(body['model']);
  const items = readItems(body['input']);
  checkNumber(body['temperature'], 'temperature', { least: 0, most: 2 });
  checkNumber(body['top_p'], 'top_p', { least: 0, most: 1 });
  checkBoolean(body['parallel_tool_calls'], 'parallel_tool_calls');
  checkBoolean(body['store'], 'store');
  const background = checkBoolean(body['background'], 'background');
  const store = body['store'] !== false;
  if (background && !store) refuse('store', "Background responses need 'store' to be true.", 'invalid_value');
  checkMetadata(body['metadata']);
  for (const field of shortFields) checkLength(checkText(body[field], field) ?? '', field, longestIdentifier);
  const tools = readTools(body['tools']);
  return {
    body,
    model,
    items,
    instructions: checkText(body['instructions'], 'instructions'),
    previousId: checkText(body['previous_response_id'], 'previous_response_id'),
    stream: checkBoolean(body['stream'], 'stream'),
    store,
    background,
    maxTokens: checkNumber(body['max_output_tokens'], 'max_output_tokens', { least: 16, most: Infinity, whole: true }),
    tools,
    toolChoice: readToolChoice(body['tool_choice'], tools),
    parallelToolCalls: body['parallel_tool_calls'] !== false,
    answerSchema: readAnswerSchema(body['text']),
    serviceTier: body['service_tier'],
    serverTools: serverToolNames(body['tools'], ['function', 'custom']),
  };
}

/** `text.format`: undefined for plain text, `{}` for any JSON object. */
function readAnswerSchema(text: unknown): WireObject | undefined {
  if (text === undefined || text === null) return undefined;
  if (!isObject(text)) refuse('text', "Invalid type for 'text': expected an object.");
  const format = text['format'] ?? { type: 'text' };
  if (!isObject(format)) refuse('text.format', "Invalid type for 'text.format': expected an object.");
  const { type, name, schema } = format;
  if (type === 'text') return undefined;
  if (type === 'json_object') return {};
  if (type !== 'json_schema') {
    const supported = "Supported values are: 'json_object', 'json_schema', 'text'.";
    refuse('text.format.type', `Invalid value for 'text.format.type'. ${supported}`, 'invalid_value');
  }
  if (typeof name !== 'string') refuseMissing('text.format.name');
  checkName(name, 'text.format.name');
  if (!isObject(schema)) refuseMissing('text.format.schema');
  return schema;
}
