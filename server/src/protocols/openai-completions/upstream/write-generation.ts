// A neutral request as a completions request. Only text can be asked for here.
import type { Generation, SettingName } from '../../../neutral/generation.ts';
import { originsOf, type OwnFields, writeBody } from '../../json/drop-fields.ts';
import type { JsonRecord } from '../../json/json-value.ts';
import { completionSettingPaths } from '../../openai-chat/wire.ts';
import { withTools, writeIdentifier } from '../../openai-shared/settings.ts';
import type { GenerationTarget } from '../../text-protocol.ts';
import { fixedFields } from '../wire.ts';
import { writeMessages } from './write-messages.ts';

/** Settings that this protocol has no place for. */
const FOREIGN: readonly SettingName[] = [
  'choices',
  'format',
  'reasoning',
  'verbosity',
  'metadata',
  'serviceTier',
  'cacheKey',
];
/** https://platform.openai.com/docs/api-reference/completions/create#completions-create-stop */
const MOST_STOPS = 4;
/** Ends the assistant's turn in a dialogue, which a model would go on with otherwise. */
const TURN_END = '\n\nUser:';

const ownFields: OwnFields = { fixed: fixedFields, origins: originsOf(completionSettingPaths) };

export function writeGeneration(generation: Generation, target: GenerationTarget): Buffer {
  const { settings, tools, stream } = generation;
  const { dropped } = target;
  for (const name of FOREIGN) if (settings[name] !== undefined) dropped.setting(name);
  for (const { path } of tools) dropped.path(path);
  withTools({ ...generation, tools: [] }, dropped);
  const { text, isDialogue } = writeMessages(generation.messages, dropped);
  const own = isDialogue ? [TURN_END] : [];
  const stop = (settings.stop ?? []).slice(0, MOST_STOPS - own.length);
  if (stop.length < (settings.stop ?? []).length) dropped.setting('stop');
  const stops = [...stop, ...own];
  const wire: JsonRecord = {
    model: target.upstreamModel,
    prompt: text,
    // Without a limit this protocol stops after a few words.
    max_tokens: settings.maxOutputTokens ?? target.defaultMaxOutput,
    temperature: settings.temperature,
    top_p: settings.topP,
    top_k: settings.topK,
    seed: settings.seed,
    presence_penalty: settings.presencePenalty,
    frequency_penalty: settings.frequencyPenalty,
    user: writeIdentifier(settings.user),
    ...(stops.length > 0 && { stop: stops }),
    ...(stream && { stream: true, stream_options: { include_usage: true } }),
  };
  return writeBody(wire, ownFields, generation, target);
}
