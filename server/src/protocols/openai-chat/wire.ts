// The top-level fields of a chat or completions request that have a fixed type (spec 2.10). All others are passed on
// unread, and null always counts as absent.
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
  type WireFields,
} from '../json/json-request.ts';
import { type ToolFields, typedTools } from '../json/server-tools.ts';

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

/** Name of the protocol, as signatures carry it. */
export const CHAT = 'openai-chat';

export const chatFields: WireFields = new Map([
  ['model', STRING],
  ['messages', OBJECTS],
  ['prompt', TEXTS_OR_TOKENS],
  ['prefix', ANY],
  ['suffix', ANY],
  ['stream', BOOLEAN],
  ['stream_options', OBJECT],
  ['max_tokens', INTEGER],
  ['max_completion_tokens', INTEGER],
  ['n', INTEGER],
  ['temperature', NUMBER],
  ['top_p', NUMBER],
  ['top_k', NUMBER],
  ['stop', STRING_OR_STRINGS],
  ['tools', OBJECTS],
  ['tool_choice', STRING_OR_OBJECT],
  ['parallel_tool_calls', BOOLEAN],
  ['response_format', OBJECT],
  ['reasoning_effort', STRING],
  ['modalities', STRINGS_OR_OBJECT], // spec 2.10 says object, the vendor's own clients send an array
  ['audio', OBJECT],
  ['metadata', OBJECT],
  ['store', ANY],
  ['service_tier', ANY],
  ['safety_identifier', ANY],
]);

/** Fields that decide the route, the money or the form of the answer: given twice, readers could disagree on them. */
export const decidingFields: readonly string[] = [
  'model',
  'messages',
  'stream',
  'stream_options',
  'max_tokens',
  'max_completion_tokens',
  'n',
  'modalities',
  'service_tier',
  'tools',
];

/** Fields a channel may never filter out: without them the request is another one. */
export const fixedFields: ReadonlySet<string> = new Set(['model', 'messages', 'stream']);

export const MAX_CHOICES = 128;
