// The top-level fields of a request to Cohere's /v2/chat that have a fixed type. All others are passed over, and null always
// counts as absent. https://docs.cohere.com/reference/chat
import {
  ARRAY,
  BOOLEAN,
  INTEGER,
  NUMBER,
  OBJECT,
  OBJECTS,
  STRING,
  STRINGS,
  type WireFields,
} from '../json/json-request.ts';

/** Name of the protocol, as signatures carry it. */
export const COHERE = 'cohere-chat';

export const chatFields: WireFields = new Map([
  ['model', STRING],
  ['messages', OBJECTS],
  ['stream', BOOLEAN],
  ['max_tokens', INTEGER],
  ['temperature', NUMBER],
  ['p', NUMBER],
  ['k', NUMBER],
  ['seed', NUMBER],
  ['stop_sequences', STRINGS],
  ['frequency_penalty', NUMBER],
  ['presence_penalty', NUMBER],
  ['tools', OBJECTS],
  ['tool_choice', STRING],
  ['strict_tools', BOOLEAN],
  ['documents', ARRAY],
  ['citation_options', OBJECT],
  ['response_format', OBJECT],
  ['safety_mode', STRING],
  ['thinking', OBJECT],
  ['logprobs', BOOLEAN],
  ['priority', NUMBER],
]);

/** Fields that decide the route, the money or the form of the answer: given twice, readers could disagree on them. */
export const decidingFields: readonly string[] = ['model', 'messages', 'stream', 'max_tokens', 'tools'];

/** Fields a channel may never filter out: without them the request is another one. */
export const fixedFields: ReadonlySet<string> = new Set(['model', 'messages', 'stream']);
