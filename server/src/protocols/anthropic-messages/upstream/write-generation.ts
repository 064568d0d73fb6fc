// A neutral request for an upstream of this protocol. What cannot be translated is named in `dropped`.
import type { Generation } from '../../../neutral/generation.ts';
import { originsOf, type OwnFields, writeBody } from '../../json/drop-fields.ts';
import type { JsonRecord } from '../../json/json-value.ts';
import type { GenerationTarget } from '../../text-protocol.ts';
import { endWithUser, type Turn } from '../../translation/turns.ts';
import { fixedFields, settingPaths } from '../wire.ts';
import { CallIds } from './call-ids.ts';
import { type ModelTraits, traitsOf } from './model-traits.ts';
import { type Thinking, writeThinking } from './thinking.ts';
import { GO_ON, lacksThoughts, trimPrefill, writeMessages } from './write-messages.ts';
import { writeFormat, writeSampling, writeSettings } from './write-settings.ts';
import { writeTools } from './write-tools.ts';

const ownFields: OwnFields = {
  fixed: fixedFields,
  ofTools: ['tool_choice'],
  origins: {
    ...originsOf(settingPaths),
    system: ['instructions'],
    tools: ['tools'],
    output_config: ['format', 'reasoning'],
  },
};

export function writeGeneration(generation: Generation, target: GenerationTarget): Buffer {
  const { settings, stream } = generation;
  const { upstreamModel, dropped } = target;
  const traits = traitsOf(upstreamModel);
  const { system, turns } = writeMessages(generation.messages, { ids: new CallIds(), dropped });
  const { thinking, effort, maxTokens, isOn: thinks } = think(generation, target, { traits, turns });
  if (thinks || !traits.takesPrefill) endWithUser(turns, GO_ON);
  else trimPrefill(turns);
  const { format, instruction } = writeFormat(settings.format, traits);
  if (instruction !== undefined) system.push({ type: 'text', text: instruction });
  const config = { ...(effort !== undefined && { effort }), ...(format !== undefined && { format }) };
  const body: JsonRecord = {
    model: upstreamModel,
    max_tokens: maxTokens,
    ...(system.length > 0 && { system }),
    messages: turns,
    ...writeTools(generation, { traits, thinks, turns, dropped }),
    ...(thinking !== undefined && { thinking }),
    ...(Object.keys(config).length > 0 && { output_config: config }),
    ...writeSampling(settings, { traits, thinks, dropped }),
    ...writeSettings(settings, dropped),
    ...(stream && { stream }),
  };
  return writeBody(body, ownFields, generation, target);
}

function think(
  { settings }: Generation,
  { defaultMaxOutput, dropped }: GenerationTarget,
  { traits, turns }: { traits: ModelTraits; turns: readonly Turn[] },
): Thinking {
  const limits = { maxOutputTokens: settings.maxOutputTokens, defaultMaxOutput };
  const written = writeThinking(settings.reasoning, traits, limits);
  const isImpossible = traits.thinking === 'budget' && written.isOn && lacksThoughts(turns);
  if (isImpossible || written.isRefused) dropped.setting('reasoning');
  return isImpossible ? writeThinking(undefined, traits, limits) : written;
}
