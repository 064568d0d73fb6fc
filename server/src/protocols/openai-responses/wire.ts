// The top-level fields of a responses request that have a fixed type, and the events that matter to the relay. All other
// fields are passed on unread, and null always counts as absent.
import type { SettingPaths } from '../../neutral/generation.ts';
import { NAMES_CALL_LONG } from '../../shared/noted-names.ts';
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
  wireTable,
} from '../json/json-request.ts';
import { type ToolFields, typedTools } from '../json/server-tools.ts';
import type { CallIdFields } from '../translation/fit-call-ids.ts';
import { SHORT_IDS } from '../translation/fit-names.ts';

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

/** Where input items hold ids of calls: calls of any kind, and their results. */
export const callIds: CallIdFields = {
  list: 'input',
  paths: new Set(['[].call_id']),
  alphabet: SHORT_IDS,
  watched: NAMES_CALL_LONG,
};

/** Name of the protocol, as signatures carry it. */
export const RESPONSES = 'openai-responses';

const table = wireTable([
  ['model', STRING, 'fixed'],
  ['input', STRING_OR_OBJECTS, 'fixed'],
  ['prompt', OBJECT, 'fixed'],
  ['instructions', STRING],
  ['previous_response_id', STRING, 'fixed'],
  ['conversation', STRING_OR_OBJECT],
  ['stream', BOOLEAN, 'fixed'],
  ['stream_options', OBJECT],
  ['background', BOOLEAN, 'fixed'],
  ['store', BOOLEAN, 'decides'],
  ['max_output_tokens', INTEGER, 'decides'],
  ['temperature', NUMBER],
  ['top_p', NUMBER],
  ['tools', OBJECTS, 'decides'],
  ['tool_choice', STRING_OR_OBJECT],
  ['parallel_tool_calls', BOOLEAN],
  ['reasoning', OBJECT],
  ['text', OBJECT],
  ['include', STRINGS],
  ['truncation', STRING],
  ['metadata', OBJECT],
  ['service_tier', ANY, 'decides'],
  ['safety_identifier', ANY],
]);
export const { fields: responseFields, fixed: fixedFields } = table;
export const decidingFields: readonly string[] = [...table.deciding, 'max_tool_calls'];

export const settingPaths: SettingPaths = {
  maxOutputTokens: 'max_output_tokens',
  temperature: 'temperature',
  topP: 'top_p',
  toolChoice: 'tool_choice',
  parallelToolCalls: 'parallel_tool_calls',
  format: 'text.format',
  verbosity: 'text.verbosity',
  reasoning: 'reasoning',
  user: 'user',
  metadata: 'metadata',
  serviceTier: 'service_tier',
  cacheKey: 'prompt_cache_key',
};

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
