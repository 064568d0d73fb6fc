// A neutral request as a chat request, for callers of another protocol.
import type { Dropped } from '../../../neutral/dropped.ts';
import type { Generation, Tool } from '../../../neutral/generation.ts';
import { effortOf } from '../../../neutral/reasoning.ts';
import { originsOf, type OwnFields, writeBody } from '../../json/drop-fields.ts';
import type { JsonRecord } from '../../json/json-value.ts';
import { chatFrames } from '../../openai-shared/frames.ts';
import { jsonHint, withTools, writeLabels } from '../../openai-shared/settings.ts';
import { writeOutputFormat, writeToolChoice } from '../../openai-shared/tools.ts';
import type { GenerationTarget } from '../../text-protocol.ts';
import { fixedFields, settingPaths } from '../wire.ts';
import { writeMessages } from './write-messages.ts';

/** https://platform.openai.com/docs/api-reference/chat/create#chat-create-stop */
const MOST_STOPS = 4;

const ownFields: OwnFields = {
  fixed: fixedFields,
  ofTools: ['tool_choice', 'parallel_tool_calls'],
  origins: {
    ...originsOf(settingPaths),
    max_completion_tokens: ['maxOutputTokens'],
    tools: ['tools'],
    safety_identifier: ['user'],
  },
};

export function writeGeneration(generation: Generation, target: GenerationTarget): Buffer {
  const { dropped } = target;
  const tools = generation.tools.map((tool) => writeTool(tool, dropped));
  const wire: JsonRecord = {
    model: target.upstreamModel,
    messages: [...jsonHint(generation), ...writeMessages(generation.messages, dropped)],
    ...(tools.length > 0 && { tools }),
    ...writeSettings(generation, dropped),
    ...(generation.stream && { stream: true, stream_options: { include_usage: true } }),
  };
  return writeBody(wire, ownFields, generation, target);
}

function writeSettings(generation: Generation, dropped: Dropped): JsonRecord {
  const settings = withTools(generation, dropped);
  const { reasoning, format, toolChoice, stop } = settings;
  if (settings.choices !== undefined) dropped.setting('choices');
  if (stop !== undefined && stop.length > MOST_STOPS) dropped.setting('stop');
  const effort = reasoning === undefined ? undefined : effortOf(reasoning);
  return {
    max_completion_tokens: settings.maxOutputTokens,
    temperature: settings.temperature,
    top_p: settings.topP,
    top_k: settings.topK,
    stop: stop?.slice(0, MOST_STOPS),
    seed: settings.seed,
    presence_penalty: settings.presencePenalty,
    frequency_penalty: settings.frequencyPenalty,
    parallel_tool_calls: settings.parallelToolCalls,
    ...writeLabels(settings, dropped),
    verbosity: settings.verbosity,
    reasoning_effort: effort,
    ...(toolChoice !== undefined && { tool_choice: writeToolChoice(toolChoice, chatFrames) }),
    ...(format !== undefined && { response_format: writeOutputFormat(format, chatFrames) }),
  };
}

function writeTool({ name, description, parameters, strict, cacheMark }: Tool, dropped: Dropped): JsonRecord {
  if (cacheMark !== undefined) dropped.path(cacheMark.path);
  return { type: 'function', function: { name, description, parameters, strict } };
}
