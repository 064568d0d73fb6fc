// The top-level fields of a responses request that have a fixed type, and the events that matter to the relay. All other
// fields are passed on unread, and null always counts as absent.
import {
  ANY,
  BOOLEAN,
  INTEGER,
  NUMBER,
  OBJECT,
  OBJECTS,
  STRING,
  STRING_OR_OBJECT,
  STRING_OR_OBJECTS,
  STRINGS,
  type WireFields,
} from '../json/json-request.ts';
import { type ToolFields, typedTools } from '../json/server-tools.ts';

/** Tools of these types are run by the client, or only help to find others. */
const OF_CLIENTS = [
  'function',
  'custom',
  'local_shell',
  'apply_patch',
  'computer',
  'computer_use',
  'namespace',
  'tool_search',
];

export const toolFields: ToolFields = {
  toolsIn: typedTools(new Set(OF_CLIENTS)),
  choices: ['tool_choice'],
  limit: 'max_tool_calls',
};

/** Items of the output with these types are calls that the client answers. */
export const clientCalls: ReadonlySet<string> = new Set([...OF_CLIENTS, 'custom_tool']);

/** Name of the protocol, as signatures carry it. */
export const RESPONSES = 'openai-responses';

export const responseFields: WireFields = new Map([
  ['model', STRING],
  ['input', STRING_OR_OBJECTS],
  ['prompt', OBJECT],
  ['instructions', STRING],
  ['previous_response_id', STRING],
  ['conversation', STRING_OR_OBJECT],
  ['stream', BOOLEAN],
  ['stream_options', OBJECT],
  ['background', BOOLEAN],
  ['store', BOOLEAN],
  ['max_output_tokens', INTEGER],
  ['temperature', NUMBER],
  ['top_p', NUMBER],
  ['tools', OBJECTS],
  ['tool_choice', STRING_OR_OBJECT],
  ['parallel_tool_calls', BOOLEAN],
  ['reasoning', OBJECT],
  ['text', OBJECT],
  ['include', STRINGS],
  ['truncation', STRING],
  ['metadata', OBJECT],
  ['service_tier', ANY],
  ['safety_identifier', ANY],
]);

/** Fields that decide the route, the money or the form of the answer: given twice, readers could disagree on them. */
export const decidingFields: readonly string[] = [
  'model',
  'input',
  'prompt',
  'previous_response_id',
  'stream',
  'store',
  'background',
  'max_output_tokens',
  'service_tier',
  'tools',
  'max_tool_calls',
];

/** Fields a channel may never filter out: without them the request is another one. */
export const fixedFields: ReadonlySet<string> = new Set([
  'model',
  'input',
  'prompt',
  'previous_response_id',
  'stream',
  'background',
]);

/** https://platform.openai.com/docs/api-reference/responses-streaming */
export const endEvents: readonly string[] = ['response.completed', 'response.incomplete'];
export const failureEvents: readonly string[] = ['response.failed', 'error'];
export const pieceEvents: readonly string[] = [
  'response.output_text.delta',
  'response.refusal.delta',
  'response.function_call_arguments.delta',
  'response.custom_tool_call_input.delta',
  'response.mcp_call_arguments.delta',
  'response.code_interpreter_call_code.delta',
  'response.shell_call_command.delta',
  'response.reasoning_text.delta',
  'response.reasoning_summary_text.delta',
  'response.reasoning.delta',
  'response.reasoning_summary.delta',
];
