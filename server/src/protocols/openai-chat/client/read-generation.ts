// A chat request in the neutral form, for upstreams of another protocol.
import type { Generation, Settings } from '../../../neutral/generation.ts';
import {
  asRecord,
  asText,
  type JsonRecord,
  needBody,
  optionalFlag,
  optionalText,
  present,
  unknownFields,
} from '../../json/json-value.ts';
import { chatFrames } from '../../openai-shared/frames.ts';
import {
  askedOf,
  otherNames,
  readEffort,
  readLabels,
  readSampling,
  unheardUser,
} from '../../openai-shared/settings.ts';
import { readOutputFormat, readToolChoice, readTools } from '../../openai-shared/tools.ts';
import { settingPaths } from '../wire.ts';
import { readMessages } from './read-messages.ts';

/** Fields that matter only when they are not what everybody does anyway. */
const OPTIONAL = ['store', 'logprobs', 'top_logprobs', 'logit_bias'];

/** Also for the OpenAPI document. */
export const knownFields: ReadonlySet<string> = new Set([
  ...Object.values(settingPaths),
  'model',
  'messages',
  'tools',
  'stream',
  'stream_options',
  'max_completion_tokens',
  'safety_identifier',
  'modalities',
  ...OPTIONAL,
]);

export function readGeneration(body: Buffer): Generation {
  const wire = needBody(body);
  const unknown = unknownFields(wire, knownFields);
  unknown.push(...askedOf(wire, OPTIONAL), ...unheardUser(wire));
  if (asksForMoreThanText(wire['modalities'])) unknown.push('modalities');
  return {
    model: asText(wire['model']) ?? '',
    stream: wire['stream'] === true,
    showsUsage: asRecord(wire['stream_options'])?.['include_usage'] === true,
    messages: readMessages(wire['messages'], unknown),
    tools: readTools(wire['tools'], chatFrames, unknown),
    settings: readSettings(wire, unknown),
    paths: otherNames(wire),
    unknown,
  };
}

/** Also as an object, whatever is in it (spec 2.10). */
function asksForMoreThanText(modalities: unknown): boolean {
  if (modalities === undefined || modalities === null) return false;
  return !Array.isArray(modalities) || modalities.some((one) => one !== 'text');
}

function readSettings(wire: JsonRecord, unknown: string[]): Settings {
  const effort = readEffort(wire['reasoning_effort'], 'reasoning_effort', unknown);
  return present<Settings>({
    ...readSampling(wire),
    toolChoice: readToolChoice(wire['tool_choice'], chatFrames, unknown),
    parallelToolCalls: optionalFlag(wire['parallel_tool_calls'], 'parallel_tool_calls'),
    format: readOutputFormat(wire['response_format'], chatFrames, unknown),
    // Callers have no field to ask to see it, and compatible servers show it.
    reasoning: effort === undefined ? undefined : { effort, ...(effort !== 'none' && { isShown: true }) },
    ...readLabels(wire, unknown),
    verbosity: optionalText(wire['verbosity'], 'verbosity'),
    cacheKey: optionalText(wire['prompt_cache_key'], 'prompt_cache_key'),
  });
}
