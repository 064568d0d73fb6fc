// The top-level fields of a messages request that have a fixed type, and the events that matter to the relay. All other
// fields are passed on unread, and null always counts as absent.
import type { SettingPaths } from '../../neutral/generation.ts';
import { NAMES_CALL_LONG, NAMES_CALL_STRAY } from '../../shared/noted-names.ts';
import type { TextFields } from '../stream/count-text.ts';
import {
  ARRAY,
  BOOLEAN,
  INTEGER,
  NUMBER,
  OBJECT,
  OBJECTS,
  STRING,
  STRING_OR_OBJECTS,
  STRINGS,
  wireTable,
} from '../json/json-request.ts';
import { type ToolFields, typedTools } from '../json/server-tools.ts';
import type { CallIdFields } from '../translation/fit-call-ids.ts';
import { WORD_IDS } from '../translation/fit-names.ts';

/** Tools of these types are run by the client. */
const OF_CLIENTS = ['custom', 'bash', 'text_editor', 'computer', 'memory'];

export const toolFields: ToolFields = {
  toolsIn: typedTools(new Set(OF_CLIENTS)),
  fields: { mcp_servers: 'mcp' },
  choices: ['tool_choice'],
  eachLimit: 'max_uses',
};

/** As signatures carry it. */
export const NAME = 'anthropic-messages';

/** https://platform.claude.com/docs/en/api/messages */
export const {
  fields: messageFields,
  deciding: decidingFields,
  fixed: fixedFields,
} = wireTable([
  ['model', STRING, 'fixed'],
  ['max_tokens', INTEGER, 'fixed'],
  ['messages', ARRAY, 'fixed'],
  ['system', STRING_OR_OBJECTS],
  ['stream', BOOLEAN, 'fixed'],
  ['temperature', NUMBER],
  ['top_p', NUMBER],
  ['top_k', INTEGER],
  ['stop_sequences', STRINGS],
  ['tools', OBJECTS, 'decides'],
  ['tool_choice', OBJECT],
  ['thinking', OBJECT],
  ['output_config', OBJECT],
  ['output_format', OBJECT],
  ['cache_control', OBJECT],
  ['metadata', OBJECT],
  ['service_tier', STRING, 'decides'],
  ['speed', STRING, 'decides'],
]);

export const settingPaths: SettingPaths = {
  maxOutputTokens: 'max_tokens',
  temperature: 'temperature',
  topP: 'top_p',
  topK: 'top_k',
  stop: 'stop_sequences',
  toolChoice: 'tool_choice',
  parallelToolCalls: 'tool_choice.disable_parallel_tool_use',
  format: 'output_config.format',
  reasoning: 'thinking',
  user: 'metadata.user_id',
  serviceTier: 'service_tier',
};

/** Fields that ask for more than the plain service: a mode, and a tier. */
export const tierFields: readonly string[] = ['speed', 'service_tier'];

/** Where messages hold ids of calls: in blocks of calls of any kind, and of their results. */
export const callIds: CallIdFields = {
  list: 'messages',
  paths: new Set(['[].content[].id', '[].content[].tool_use_id']),
  alphabet: WORD_IDS,
  watched: NAMES_CALL_LONG | NAMES_CALL_STRAY,
};

/** Where the deltas of a stream hold output. A signature stands for thoughts only where none are shown. */
export const DELTA_TEXT: TextFields = {
  each: { text: 'text', partial_json: 'text', content: 'skip', citation: 'skip' },
  oneOf: ['thinking'],
  instead: 'signature',
};

/** The same in the content of a whole answer; `content` inside of it is what a tool of the upstream gave. */
export const CONTENT_TEXT: TextFields = {
  ...DELTA_TEXT,
  each: { text: 'text', input: 'value', data: 'text', content: 'skip', citations: 'skip' },
};
