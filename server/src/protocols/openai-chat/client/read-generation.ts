// A chat request in the neutral form, for upstreams of another protocol.
import type { Generation, SettingPaths, Settings } from '../../../neutral/generation.ts';
import {
  asRecord,
  asText,
  type JsonRecord,
  needBody,
  optionalFlag,
  optionalNumber,
  optionalRecord,
  optionalText,
  present,
  unknownFields,
} from '../../json/json-value.ts';
import { asksNothing, otherNames, readEffort, readStop, textOfAny, unheardUser } from '../../openai-shared/settings.ts';
import { readOutputFormat, readToolChoice, readTools } from '../../openai-shared/tools.ts';
import { chatFrames } from '../frames.ts';
import { readMessages } from './read-messages.ts';

export const chatSettingPaths: SettingPaths = {
  maxOutputTokens: 'max_tokens',
  temperature: 'temperature',
  topP: 'top_p',
  topK: 'top_k',
  stop: 'stop',
  seed: 'seed',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
  choices: 'n',
  toolChoice: 'tool_choice',
  parallelToolCalls: 'parallel_tool_calls',
  format: 'response_format',
  reasoning: 'reasoning_effort',
  user: 'user',
  metadata: 'metadata',
  serviceTier: 'service_tier',
  verbosity: 'verbosity',
  cacheKey: 'prompt_cache_key',
};

/** Fields that matter only when they are not what everybody does anyway. */
const OPTIONAL = ['store', 'logprobs', 'top_logprobs', 'logit_bias'];

/** Also for the OpenAPI document. */
export const knownFields: ReadonlySet<string> = new Set([
  ...Object.values(chatSettingPaths),
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
  const asked = OPTIONAL.filter((name) => wire[name] !== undefined && wire[name] !== null && !asksNothing(wire, name));
  unknown.push(...asked, ...unheardUser(wire));
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
  const number = (name: string): number | undefined => optionalNumber(wire[name], name);
  const text = (name: string): string | undefined => optionalText(wire[name], name);
  const effort = readEffort(wire['reasoning_effort'], 'reasoning_effort', unknown);
  const choices = number('n');
  return present<Settings>({
    maxOutputTokens: number('max_completion_tokens') ?? number('max_tokens'),
    temperature: number('temperature'),
    topP: number('top_p'),
    topK: number('top_k'),
    stop: readStop(wire['stop']),
    seed: number('seed'),
    presencePenalty: number('presence_penalty'),
    frequencyPenalty: number('frequency_penalty'),
    choices: choices !== undefined && choices > 1 ? choices : undefined,
    toolChoice: readToolChoice(wire['tool_choice'], chatFrames, unknown),
    parallelToolCalls: optionalFlag(wire['parallel_tool_calls'], 'parallel_tool_calls'),
    format: readOutputFormat(wire['response_format'], chatFrames, unknown),
    // Callers have no field to ask to see it, and compatible servers show it.
    reasoning: effort === undefined ? undefined : { effort, ...(effort !== 'none' && { isShown: true }) },
    user: textOfAny(wire, 'safety_identifier', unknown) ?? text('user'),
    metadata: optionalRecord(wire['metadata'], 'metadata'),
    serviceTier: textOfAny(wire, 'service_tier', unknown),
    verbosity: text('verbosity'),
    cacheKey: text('prompt_cache_key'),
  });
}
