// A neutral request as a responses request, for callers of another protocol. Nothing is left with the upstream.
import type { Dropped } from '../../../neutral/dropped.ts';
import type { Generation, SettingName } from '../../../neutral/generation.ts';
import { effortOf } from '../../../neutral/reasoning.ts';
import { originsOf, type OwnFields, writeBody } from '../../json/drop-fields.ts';
import type { JsonRecord } from '../../json/json-value.ts';
import { responsesFrames } from '../../openai-shared/frames.ts';
import { jsonHint, withTools, writeLabels } from '../../openai-shared/settings.ts';
import { writeOutputFormat, writeToolChoice } from '../../openai-shared/tools.ts';
import type { GenerationTarget } from '../../text-protocol.ts';
import { fixedFields, settingPaths } from '../wire.ts';
import { writeTool } from '../write-tool.ts';
import { writeMessages } from './write-messages.ts';

/** Settings that this protocol has no place for. */
const FOREIGN: readonly SettingName[] = ['topK', 'stop', 'seed', 'presencePenalty', 'frequencyPenalty', 'choices'];

const ownFields: OwnFields = {
  fixed: fixedFields,
  ofTools: ['tool_choice', 'parallel_tool_calls'],
  origins: { ...originsOf(settingPaths), tools: ['tools'], safety_identifier: ['user'] },
};

export function writeGeneration(generation: Generation, target: GenerationTarget): Buffer {
  const { settings, tools, stream } = generation;
  const { dropped } = target;
  for (const name of FOREIGN) if (settings[name] !== undefined) dropped.setting(name);
  for (const { cacheMark } of tools) if (cacheMark !== undefined) dropped.path(cacheMark.path);
  const wire: JsonRecord = {
    model: target.upstreamModel,
    input: [...jsonHint(generation), ...writeMessages(generation.messages, dropped)],
    store: false,
    ...(tools.length > 0 && { tools: tools.map(writeTool) }),
    ...writeSettings(generation, dropped),
    ...(stream && { stream: true }),
  };
  return writeBody(wire, ownFields, generation, target);
}

function writeSettings(generation: Generation, dropped: Dropped): JsonRecord {
  const settings = withTools(generation, dropped);
  const { format, toolChoice, verbosity } = settings;
  return {
    max_output_tokens: writeLimit(settings.maxOutputTokens, dropped),
    temperature: settings.temperature,
    top_p: settings.topP,
    parallel_tool_calls: settings.parallelToolCalls,
    ...writeLabels(settings, dropped),
    ...(toolChoice !== undefined && { tool_choice: writeToolChoice(toolChoice, responsesFrames) }),
    ...((format !== undefined || verbosity !== undefined) && {
      text: { ...(format !== undefined && { format: writeOutputFormat(format, responsesFrames) }), verbosity },
    }),
    ...writeReasoning(generation),
  };
}

/** https://platform.openai.com/docs/api-reference/responses/create#responses-create-max_output_tokens */
const LEAST_LIMIT = 16;

function writeLimit(limit: number | undefined, dropped: Dropped): number | undefined {
  return limit === undefined ? undefined : dropped.clamped('maxOutputTokens', limit, { least: LEAST_LIMIT });
}

/** Only models that reason can be asked to hand it over sealed, and only that way it can come back. */
function writeReasoning({ settings: { reasoning } }: Generation): JsonRecord {
  if (reasoning === undefined) return {};
  const effort = effortOf(reasoning);
  if (effort === 'none') return { reasoning: { effort } };
  return {
    reasoning: { effort, ...(reasoning.isShown !== false && { summary: 'auto' }) },
    include: ['reasoning.encrypted_content'],
  };
}
