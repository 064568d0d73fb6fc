// The top-level fields of a request for an interaction that have a fixed type, and the events that matter to the relay. All
// other fields are passed on unread, and null always counts as absent. https://ai.google.dev/api/interactions-api
import {
  ANY,
  ARRAY_OR_OBJECT,
  BOOLEAN,
  OBJECT,
  OBJECTS,
  STRING,
  STRING_OR_OBJECT,
  STRINGS,
  type WireField,
  wireTable,
} from '../json/json-request.ts';
import { type ToolFields, typedTools } from '../json/server-tools.ts';

export const INTERACTIONS = 'gemini-interactions';

const INPUT: WireField = { kinds: ['string', 'object', 'array'], expected: 'a string, an object or an array' };

export const {
  fields: interactionFields,
  deciding: decidingFields,
  fixed: fixedFields,
} = wireTable([
  ['model', STRING, 'fixed'],
  ['agent', STRING, 'fixed'],
  ['input', INPUT, 'fixed'],
  ['system_instruction', STRING],
  ['previous_interaction_id', STRING, 'fixed'],
  ['stream', BOOLEAN, 'fixed'],
  ['background', BOOLEAN, 'fixed'],
  ['store', BOOLEAN, 'decides'],
  ['tools', OBJECTS, 'decides'],
  ['generation_config', OBJECT, 'decides'],
  ['agent_config', OBJECT],
  ['response_format', ARRAY_OR_OBJECT],
  ['response_mime_type', STRING],
  ['response_modalities', STRINGS, 'decides'],
  ['safety_settings', OBJECTS],
  ['service_tier', ANY, 'decides'],
  ['cached_content', STRING],
  ['environment', STRING_OR_OBJECT],
  ['continuation_token', STRING],
  ['labels', OBJECT],
  ['webhook_config', OBJECT],
]);

/** Run by the client. */
const OF_CLIENTS: ReadonlySet<string> = new Set(['function', 'computer_use']);
const NAMES: ReadonlyMap<string, string> = new Map([['google_search', 'web_search']]);

/** As prices name a tool of the provider. */
export function pricedName(name: string): string {
  return NAMES.get(name) ?? name;
}

const typed = typedTools(OF_CLIENTS);

export const toolFields: ToolFields = {
  toolsIn: (entry) => typed(entry).map((tool) => ({ ...tool, name: pricedName(tool.name) })),
  choices: [],
};
