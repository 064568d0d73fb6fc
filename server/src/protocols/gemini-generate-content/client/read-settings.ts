// Everything of a request beside the conversation and its tools.
import {
  EFFORTS,
  type Effort,
  type OutputFormat,
  type ReasoningRequest,
  type Settings,
} from '../../../neutral/generation.ts';
import {
  asList,
  asNumber,
  asRecord,
  asText,
  type JsonRecord,
  needRecord,
  needText,
  present,
} from '../../json/json-value.ts';
import { readKnown } from '../spelling.ts';
import { readSchema } from './read-schema.ts';
import { readToolChoice } from './read-tools.ts';

const PATH = 'generationConfig';
export const CONFIG_FIELDS: ReadonlySet<string> = new Set([
  'maxOutputTokens',
  'temperature',
  'topP',
  'topK',
  'stopSequences',
  'seed',
  'presencePenalty',
  'frequencyPenalty',
  'candidateCount',
  'responseMimeType',
  'responseSchema',
  'responseJsonSchema',
  'responseModalities',
  'thinkingConfig',
  'responseLogprobs',
  'logprobs',
]);
export const THINKING_FIELDS: ReadonlySet<string> = new Set(['thinkingBudget', 'thinkingLevel', 'includeThoughts']);
/** Other protocols have a word for the same. */
const TIERS: ReadonlyMap<string, string> = new Map([['standard', 'default']]);

export function readSettings(wire: JsonRecord, unknown: string[]): Settings {
  const config = readKnown(asRecord(wire['generationConfig']) ?? {}, CONFIG_FIELDS, { prefix: `${PATH}.`, unknown });
  if (asList(config['responseModalities']).some((one) => one !== 'TEXT')) unknown.push(`${PATH}.responseModalities`);
  if (config['responseLogprobs'] === true) unknown.push(`${PATH}.responseLogprobs`);
  if ((asNumber(config['logprobs']) ?? 0) > 0) unknown.push(`${PATH}.logprobs`);
  const choices = asNumber(config['candidateCount']);
  const stop = asList(config['stopSequences']).map((one, index) => needText(one, `${PATH}.stopSequences[${index}]`));
  const tier = asText(wire['serviceTier'])?.toLowerCase();
  return present<Settings>({
    maxOutputTokens: asNumber(config['maxOutputTokens']),
    temperature: asNumber(config['temperature']),
    topP: asNumber(config['topP']),
    topK: asNumber(config['topK']),
    stop: stop.length === 0 ? undefined : stop,
    seed: asNumber(config['seed']),
    presencePenalty: asNumber(config['presencePenalty']),
    frequencyPenalty: asNumber(config['frequencyPenalty']),
    choices: choices !== undefined && choices > 1 ? choices : undefined,
    toolChoice: readToolChoice(wire['toolConfig'], unknown),
    format: readFormat(config, unknown),
    reasoning: readReasoning(config['thinkingConfig'], unknown),
    metadata: asRecord(wire['labels']),
    serviceTier: tier === undefined || tier === 'unspecified' ? undefined : (TIERS.get(tier) ?? tier),
  });
}

function readFormat(config: JsonRecord, unknown: string[]): OutputFormat | undefined {
  const { responseMimeType: type = 'text/plain', responseSchema, responseJsonSchema } = config;
  const jsonSchema = asRecord(responseJsonSchema);
  const schema = asRecord(responseSchema);
  if (type === 'application/json') {
    if (jsonSchema !== undefined) return { type: 'schema', schema: jsonSchema };
    return schema === undefined ? { type: 'json' } : { type: 'schema', schema: readSchema(schema) };
  }
  if (type !== 'text/plain' && type !== '') unknown.push(`${PATH}.responseMimeType`);
  if (jsonSchema !== undefined) unknown.push(`${PATH}.responseJsonSchema`);
  if (schema !== undefined) unknown.push(`${PATH}.responseSchema`);
  return undefined;
}

function readReasoning(value: unknown, unknown: string[]): ReasoningRequest | undefined {
  if (value === undefined) return undefined;
  const path = `${PATH}.thinkingConfig`;
  const wire = readKnown(needRecord(value, path), THINKING_FIELDS, { prefix: `${path}.`, unknown });
  const level = asText(wire['thinkingLevel'])?.toLowerCase();
  const effort: Effort | undefined = EFFORTS.find((one) => one === level);
  if (level !== undefined && level !== 'thinking_level_unspecified' && effort === undefined)
    unknown.push(`${path}.thinkingLevel`);
  const budget = asNumber(wire['thinkingBudget']);
  const isShown = wire['includeThoughts'];
  return {
    ...(effort !== undefined && { effort }),
    ...(budget !== undefined && { budget }),
    ...(typeof isShown === 'boolean' && { isShown }),
  };
}
