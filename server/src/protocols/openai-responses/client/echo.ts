// What a response repeats of its request beside the settings that every protocol has, as the vendor's document and the Open
// Responses specification require it. https://www.openresponses.org/specification
import { asText, type JsonRecord } from '../../json/json-value.ts';

export interface EchoFacts {
  isStored: boolean;
  previousId: string | undefined;
}

export function readEcho(wire: JsonRecord, { isStored, previousId }: EchoFacts): JsonRecord {
  return {
    access_programs: null,
    instructions: asText(wire['instructions']) ?? null,
    previous_response_id: previousId ?? null,
    store: isStored,
    max_tool_calls: numberOr(wire['max_tool_calls'], null),
    presence_penalty: numberOr(wire['presence_penalty'], 0),
    frequency_penalty: numberOr(wire['frequency_penalty'], 0),
    top_logprobs: numberOr(wire['top_logprobs'], 0),
    safety_identifier: asText(wire['safety_identifier']) ?? null,
    prompt_cache_key: asText(wire['prompt_cache_key']) ?? null,
    user: asText(wire['user']) ?? null,
  };
}

/** Where the request is not at hand. */
export const NO_ECHO: JsonRecord = readEcho({}, { isStored: false, previousId: undefined });

function numberOr<Other>(value: unknown, other: Other): number | Other {
  return typeof value === 'number' ? value : other;
}
