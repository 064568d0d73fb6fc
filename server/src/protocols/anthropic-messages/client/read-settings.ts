// Everything of a request beside the conversation and its tools.
import { invalidRequest } from '../../../errors/gateway-error.ts';
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
  unknownFields,
} from '../../json/json-value.ts';
import { readToolChoice } from './read-tools.ts';

export const CONFIG_FIELDS: ReadonlySet<string> = new Set(['effort', 'format']);
export const THINKING_FIELDS: ReadonlySet<string> = new Set(['type', 'budget_tokens', 'display']);
export const METADATA_FIELDS: ReadonlySet<string> = new Set(['user_id']);

/** Other protocols have a word for the same. */
const TIERS: ReadonlyMap<string, string> = new Map([['standard_only', 'default']]);

export function readSettings(body: JsonRecord, unknown: string[]): Settings {
  const metadata = asRecord(body['metadata']) ?? {};
  const config = asRecord(body['output_config']) ?? {};
  unknown.push(
    ...unknownFields(metadata, METADATA_FIELDS, 'metadata.'),
    ...unknownFields(config, CONFIG_FIELDS, 'output_config.'),
  );
  const stop = asList(body['stop_sequences']).map((text, index) => needText(text, `stop_sequences[${index}]`));
  const tier = asText(body['service_tier']);
  return present<Settings>({
    maxOutputTokens: asNumber(body['max_tokens']),
    temperature: asNumber(body['temperature']),
    topP: asNumber(body['top_p']),
    topK: asNumber(body['top_k']),
    stop: stop.length === 0 ? undefined : stop,
    format: readFormat(config['format'], 'output_config.format') ?? readFormat(body['output_format'], 'output_format'),
    reasoning: readReasoning(body['thinking'], config['effort'], unknown),
    user: asText(metadata['user_id']),
    serviceTier: tier === undefined ? undefined : (TIERS.get(tier) ?? tier),
    ...readToolChoice(body['tool_choice'], unknown),
  });
}

function readFormat(value: unknown, path: string): OutputFormat | undefined {
  if (value === undefined || value === null) return undefined;
  const format = needRecord(value, path);
  if (format['type'] !== 'json_schema') throw invalidRequest(`'${path}.type' must be 'json_schema'.`, `${path}.type`);
  // The provider holds its models to the schema: that is what others call strict.
  return { type: 'schema', schema: needRecord(format['schema'], `${path}.schema`), strict: true };
}

/** How hard to think is said in two places; thinking that is switched off wins. */
function readReasoning(value: unknown, effortWord: unknown, unknown: string[]): ReasoningRequest | undefined {
  const effort = readEffort(effortWord);
  if (value === undefined || value === null) return effort === undefined ? undefined : { effort };
  const thinking = needRecord(value, 'thinking');
  unknown.push(...unknownFields(thinking, THINKING_FIELDS, 'thinking.'));
  const type = needText(thinking['type'], 'thinking.type');
  if (type === 'disabled') {
    if (effort !== undefined) unknown.push('output_config.effort');
    return { effort: 'none' };
  }
  const isShown = thinking['display'] !== 'omitted';
  const request = effort === undefined ? { isShown } : { effort, isShown };
  if (type === 'enabled') return { ...request, budget: needBudget(thinking['budget_tokens']) };
  if (type === 'adaptive') return { ...request, budget: -1 };
  throw invalidRequest("'thinking.type' must be 'enabled', 'adaptive' or 'disabled'.", 'thinking.type');
}

function needBudget(budget: unknown): number {
  if (Number.isSafeInteger(budget) && (budget as number) >= 1) return budget as number;
  const path = 'thinking.budget_tokens';
  throw invalidRequest(`'${path}' must be a whole number of at least 1.`, path);
}

function readEffort(word: unknown): Effort | undefined {
  if (word === undefined || word === null) return undefined;
  const effort = EFFORTS.find((known) => known === word);
  if (effort !== undefined) return effort;
  throw invalidRequest(`'output_config.effort' must be one of ${EFFORTS.join(', ')}.`, 'output_config.effort');
}
