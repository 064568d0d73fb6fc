// A neutral request for Converse. What cannot be translated is named in `dropped`.
import type { Dropped } from '../../../neutral/dropped.ts';
import type { Generation, OutputFormat, SettingName, Settings } from '../../../neutral/generation.ts';
import { writeBody } from '../../json/drop-fields.ts';
import type { JsonRecord } from '../../json/json-value.ts';
import type { GenerationTarget } from '../../text-protocol.ts';
import { ownFields } from '../wire.ts';
import { type ModelTraits, traitsOf } from './model-traits.ts';
import { ContentWriter } from './write-content.ts';
import { writeMessages } from './write-messages.ts';
import { writeTools } from './write-tools.ts';

const NO_PLACE: readonly SettingName[] = [
  'seed',
  'presencePenalty',
  'frequencyPenalty',
  'choices',
  'user',
  'metadata',
  'verbosity',
  'cacheKey',
];
const TIERS: ReadonlyMap<string, string | undefined> = new Map([
  ['auto', undefined],
  ['default', 'default'],
  ['priority', 'priority'],
  ['flex', 'flex'],
]);
const UP_TO_ONE = { least: 0, most: 1 };
const JSON_ONLY = 'Answer with one JSON object and nothing else: no words around it and no code fence.';

export function writeGeneration(generation: Generation, target: GenerationTarget): Buffer {
  const { settings, messages } = generation;
  const { dropped, upstreamModel } = target;
  const traits = traitsOf(upstreamModel);
  const writer = new ContentWriter(traits, dropped);
  const { system, turns } = writeMessages(messages, writer, dropped);
  const { outputConfig, instruction } = writeFormat(settings.format, traits);
  if (instruction !== undefined) system.push({ text: instruction });
  for (const name of NO_PLACE) if (settings[name] !== undefined) dropped.setting(name);
  const config = writeConfig(settings, dropped);
  const ofModel = writeOfModel(settings, traits, dropped);
  const wire: JsonRecord = {
    messages: turns,
    ...(system.length > 0 && { system }),
    ...(Object.keys(config).length > 0 && { inferenceConfig: config }),
    ...writeTools(generation, { writer, traits, dropped }),
    ...(Object.keys(ofModel).length > 0 && { additionalModelRequestFields: ofModel }),
    ...(outputConfig !== undefined && { outputConfig }),
    ...tierOf(dropped.word('serviceTier', settings.serviceTier, TIERS)),
  };
  return writeBody(wire, ownFields, generation, target);
}

function writeConfig({ maxOutputTokens, temperature, topP, stop }: Settings, dropped: Dropped): JsonRecord {
  const stops = stop?.filter((text) => text.trim() !== ''); // nothing but space is refused
  if (stops?.length !== stop?.length) dropped.setting('stop');
  return {
    ...(maxOutputTokens !== undefined && { maxTokens: maxOutputTokens }),
    ...(temperature !== undefined && { temperature: dropped.clamped('temperature', temperature, UP_TO_ONE) }),
    ...(topP !== undefined && { topP: dropped.clamped('topP', topP, UP_TO_ONE) }),
    ...(stops !== undefined && stops.length > 0 && { stopSequences: stops }),
  };
}

/** What only some models have, each under its own names. */
function writeOfModel({ reasoning, topK }: Settings, traits: ModelTraits, dropped: Dropped): JsonRecord {
  const thinking = reasoning === undefined ? undefined : traits.writeReasoning(reasoning);
  const isAsked = reasoning?.effort !== undefined || reasoning?.budget !== undefined;
  if (isAsked && thinking === undefined && reasoning.effort !== 'none') dropped.setting('reasoning');
  const top = topK === undefined ? undefined : traits.writeTopK(topK);
  if (topK !== undefined && top === undefined) dropped.setting('topK');
  return { ...thinking, ...top };
}

function writeFormat(
  format: OutputFormat | undefined,
  { takesSchemas }: ModelTraits,
): { outputConfig?: JsonRecord; instruction?: string } {
  if (format === undefined) return {};
  if (format.type === 'json') return { instruction: JSON_ONLY };
  const { schema, name, description } = format;
  if (!takesSchemas) return { instruction: `${JSON_ONLY} It must fit this JSON Schema: ${JSON.stringify(schema)}` };
  const jsonSchema = {
    schema: JSON.stringify(schema),
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
  };
  return { outputConfig: { textFormat: { type: 'json_schema', structure: { jsonSchema } } } };
}

function tierOf(type: string | undefined): JsonRecord {
  return type === undefined ? {} : { serviceTier: { type } };
}
