// The top-level fields of a messages request that have a fixed type, and the events that matter to the relay. All other
// fields are passed on unread, and null always counts as absent.
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
  type WireFields,
} from '../json/json-request.ts';
import { type ToolFields, typedTools } from '../json/server-tools.ts';

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
export const messageFields: WireFields = new Map([
  ['model', STRING],
  ['max_tokens', INTEGER],
  ['messages', ARRAY],
  ['system', STRING_OR_OBJECTS],
  ['stream', BOOLEAN],
  ['temperature', NUMBER],
  ['top_p', NUMBER],
  ['top_k', INTEGER],
  ['stop_sequences', STRINGS],
  ['tools', OBJECTS],
  ['tool_choice', OBJECT],
  ['thinking', OBJECT],
  ['output_config', OBJECT],
  ['output_format', OBJECT],
  ['cache_control', OBJECT],
  ['metadata', OBJECT],
  ['service_tier', STRING],
  ['speed', STRING],
]);

/** Fields that decide the route, the money or the form of the answer: given twice, readers could disagree on them. */
export const decidingFields: readonly string[] = [
  'model',
  'messages',
  'stream',
  'max_tokens',
  'service_tier',
  'speed',
  'tools',
];

/** Fields that ask for more than the plain service: a mode, and a tier. */
export const tierFields: readonly string[] = ['speed', 'service_tier'];

/** Fields a channel may never filter out: without them the request is another one. */
export const fixedFields: ReadonlySet<string> = new Set(['model', 'messages', 'stream', 'max_tokens']);

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
