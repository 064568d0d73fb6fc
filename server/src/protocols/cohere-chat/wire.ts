// The top-level fields of a request to Cohere's /v2/chat that have a fixed type. All others are passed over, and null always
// counts as absent. https://docs.cohere.com/reference/chat
import { ARRAY, BOOLEAN, INTEGER, NUMBER, OBJECT, OBJECTS, STRING, STRINGS, wireTable } from '../json/json-request.ts';

/** Name of the protocol, as signatures carry it. */
export const COHERE = 'cohere-chat';

export const {
  fields: chatFields,
  deciding: decidingFields,
  fixed: fixedFields,
} = wireTable([
  ['model', STRING, 'fixed'],
  ['messages', OBJECTS, 'fixed'],
  ['stream', BOOLEAN, 'fixed'],
  ['max_tokens', INTEGER, 'decides'],
  ['temperature', NUMBER],
  ['p', NUMBER],
  ['k', NUMBER],
  ['seed', NUMBER],
  ['stop_sequences', STRINGS],
  ['frequency_penalty', NUMBER],
  ['presence_penalty', NUMBER],
  ['tools', OBJECTS, 'decides'],
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
