// The top-level fields of a chat or completions request that have a fixed type (spec 2.10). All others are passed on
// unread, and null always counts as absent.
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
  STRING_OR_STRINGS,
  STRINGS_OR_OBJECT,
  TEXTS_OR_TOKENS,
  wireTable,
} from '../json/json-request.ts';
import { type ToolFields, typedTools } from '../json/server-tools.ts';
import type { CallIdFields } from '../translation/fit-call-ids.ts';
import { SHORT_IDS } from '../translation/fit-names.ts';

/** Tools that other providers of this protocol run; each of these fields asks for a search. */
export const toolFields: ToolFields = {
  toolsIn: typedTools(new Set(['function', 'custom'])),
  fields: {
    web_search_options: 'web_search',
    search_parameters: 'web_search',
    enable_search: 'web_search',
    plugins: 'web_search',
  },
  choices: ['tool_choice'],
};

/** Where messages hold ids of calls: in calls, and in results. */
export const callIds: CallIdFields = {
  list: 'messages',
  paths: new Set(['[].tool_calls[].id', '[].tool_call_id']),
  alphabet: SHORT_IDS,
  watched: NAMES_CALL_LONG,
};

/** Name of the protocol, as signatures carry it. */
export const CHAT = 'openai-chat';

export const {
  fields: chatFields,
  deciding: decidingFields,
  fixed: fixedFields,
} = wireTable([
  ['model', STRING, 'fixed'],
  ['messages', OBJECTS, 'fixed'],
  ['prompt', TEXTS_OR_TOKENS],
  ['prefix', ANY],
  ['suffix', ANY],
  ['stream', BOOLEAN, 'fixed'],
  ['stream_options', OBJECT, 'decides'],
  ['max_tokens', INTEGER, 'decides'],
  ['max_completion_tokens', INTEGER, 'decides'],
  ['n', INTEGER, 'decides'],
  ['temperature', NUMBER],
  ['top_p', NUMBER],
  ['top_k', NUMBER],
  ['stop', STRING_OR_STRINGS],
  ['tools', OBJECTS, 'decides'],
  ['tool_choice', STRING_OR_OBJECT],
  ['parallel_tool_calls', BOOLEAN],
  ['response_format', OBJECT],
  ['reasoning_effort', STRING],
  ['modalities', STRINGS_OR_OBJECT, 'decides'], // spec 2.10 says object, the vendor's own clients send an array
  ['audio', OBJECT],
  ['metadata', OBJECT],
  ['store', ANY],
  ['service_tier', ANY, 'decides'],
  ['safety_identifier', ANY],
]);

export const MAX_CHOICES = 128;

/** Of the settings that completions have too. */
export const completionSettingPaths: SettingPaths = {
  maxOutputTokens: 'max_tokens',
  temperature: 'temperature',
  topP: 'top_p',
  topK: 'top_k',
  stop: 'stop',
  seed: 'seed',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
  choices: 'n',
  user: 'user',
  metadata: 'metadata',
  serviceTier: 'service_tier',
};

export const settingPaths: SettingPaths = {
  ...completionSettingPaths,
  toolChoice: 'tool_choice',
  parallelToolCalls: 'parallel_tool_calls',
  format: 'response_format',
  reasoning: 'reasoning_effort',
  verbosity: 'verbosity',
  cacheKey: 'prompt_cache_key',
};
