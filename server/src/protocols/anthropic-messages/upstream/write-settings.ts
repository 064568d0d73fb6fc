// Settings of a request that stand for themselves; thinking and tools have files of their own.
import type { Dropped } from '../../../neutral/dropped.ts';
import type { OutputFormat, SettingName, Settings } from '../../../neutral/generation.ts';
import type { JsonRecord } from '../../json/json-value.ts';
import type { ModelTraits } from './model-traits.ts';
import { writeOutputSchema } from './output-schema.ts';

const UNSUPPORTED: readonly SettingName[] = [
  'seed',
  'presencePenalty',
  'frequencyPenalty',
  'choices',
  'metadata',
  'verbosity',
  'cacheKey',
];
const TIERS: ReadonlyMap<string, string> = new Map([
  ['auto', 'auto'],
  ['default', 'standard_only'],
  ['standard_only', 'standard_only'],
]);
/** With thinking, only what lies between this and 1 is taken. */
const LEAST_TOP_P = 0.95;
const UP_TO_ONE = { least: 0, most: 1 };

export function writeSettings(settings: Settings, dropped: Dropped): JsonRecord {
  for (const name of UNSUPPORTED) if (settings[name] !== undefined) dropped.setting(name);
  const { stop, user, serviceTier } = settings;
  const stops = stop?.filter((text) => text.trim() !== ''); // nothing but space is refused
  if (stops?.length !== stop?.length) dropped.setting('stop');
  const tier = dropped.word('serviceTier', serviceTier, TIERS);
  return {
    ...(stops !== undefined && stops.length > 0 && { stop_sequences: stops }),
    ...(user !== undefined && { metadata: { user_id: user } }),
    ...(tier !== undefined && { service_tier: tier }),
  };
}

/** At most one of temperature and top_p is taken; thinking models want them left alone. */
export function writeSampling(
  { temperature, topP, topK }: Settings,
  { traits, thinks, dropped }: { traits: ModelTraits; thinks: boolean; dropped: Dropped },
): JsonRecord {
  const sampling: JsonRecord = {};
  const isFree = traits.takesSampling && !thinks;
  if (temperature !== undefined) {
    if (isFree) sampling['temperature'] = dropped.clamped('temperature', temperature, UP_TO_ONE);
    else if (temperature !== 1) dropped.setting('temperature');
  }
  if (topP !== undefined) {
    const isTaken = isFree ? temperature === undefined : traits.takesSampling && topP >= LEAST_TOP_P && topP <= 1;
    if (isTaken) sampling['top_p'] = dropped.clamped('topP', topP, UP_TO_ONE);
    else if (topP !== 1) dropped.setting('topP');
  }
  if (topK !== undefined) {
    if (isFree) sampling['top_k'] = dropped.clamped('topK', topK, { least: 1, most: Math.max(1, Math.trunc(topK)) });
    else dropped.setting('topK');
  }
  return sampling;
}

const JSON_ONLY = 'Answer with one JSON object and nothing else: no words around it and no code fence.';

/** The field `output_config.format`, or what the prompt says where there is no such field. */
export function writeFormat(
  format: OutputFormat | undefined,
  { takesSchemas }: ModelTraits,
): { format?: JsonRecord; instruction?: string } {
  if (format === undefined) return {};
  if (format.type === 'json') return { instruction: JSON_ONLY };
  const { schema, description } = format;
  const described = description === undefined ? schema : { description, ...schema };
  if (takesSchemas) return { format: { type: 'json_schema', schema: writeOutputSchema(described) } };
  return { instruction: `${JSON_ONLY} It must fit this JSON Schema: ${JSON.stringify(described)}` };
}
