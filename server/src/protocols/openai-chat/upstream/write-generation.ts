// A neutral request as a chat request, for callers of another protocol.
import type { Generation, OutputFormat, Settings, Tool, ToolChoice } from '../../../neutral/generation.ts';
import type { Dropped } from '../../../neutral/dropped.ts';
import { effortOf } from '../../../neutral/reasoning.ts';
import type { JsonRecord } from '../../json-value.ts';
import type { GenerationTarget } from '../../text-protocol.ts';
import { fixedFields } from '../wire.ts';
import { writeMessages } from './write-messages.ts';

export function writeGeneration(generation: Generation, target: GenerationTarget): Buffer {
  const { dropped } = target;
  const tools = generation.tools.map((tool) => writeTool(tool, dropped));
  const wire: JsonRecord = {
    model: target.upstreamModel,
    messages: writeMessages(generation.messages, dropped),
    ...(tools.length > 0 && { tools }),
    ...writeSettings(generation.settings, dropped),
    ...(generation.stream && { stream: true, stream_options: { include_usage: true } }),
  };
  for (const name of target.dropFields) if (!fixedFields.has(name)) delete wire[name];
  return Buffer.from(JSON.stringify(wire));
}

function writeSettings(settings: Settings, dropped: Dropped): JsonRecord {
  const { reasoning, format, toolChoice } = settings;
  if (settings.choices !== undefined) dropped.setting('choices');
  const effort = reasoning === undefined ? undefined : effortOf(reasoning);
  return {
    max_completion_tokens: settings.maxOutputTokens,
    temperature: settings.temperature,
    top_p: settings.topP,
    top_k: settings.topK,
    stop: settings.stop,
    seed: settings.seed,
    presence_penalty: settings.presencePenalty,
    frequency_penalty: settings.frequencyPenalty,
    parallel_tool_calls: settings.parallelToolCalls,
    safety_identifier: settings.user,
    metadata: settings.metadata,
    service_tier: settings.serviceTier,
    verbosity: settings.verbosity,
    ...(effort !== undefined && { reasoning_effort: effort === 'max' ? 'xhigh' : effort }),
    ...(toolChoice !== undefined && { tool_choice: writeToolChoice(toolChoice) }),
    ...(format !== undefined && { response_format: writeFormat(format) }),
  };
}

function writeTool({ name, description, parameters, strict, cacheMark }: Tool, dropped: Dropped): JsonRecord {
  if (cacheMark !== undefined) dropped.path(cacheMark.path);
  return { type: 'function', function: { name, description, parameters, strict } };
}

function writeToolChoice(choice: ToolChoice): unknown {
  if (choice.type === 'tool') return { type: 'function', function: { name: choice.name } };
  if (choice.type !== 'allowed') return choice.type;
  const tools = choice.names.map((name) => ({ type: 'function', function: { name } }));
  return { type: 'allowed_tools', allowed_tools: { mode: choice.mode, tools } };
}

function writeFormat(format: OutputFormat): JsonRecord {
  if (format.type === 'json') return { type: 'json_object' };
  const { name = 'answer', description, schema, strict } = format;
  return { type: 'json_schema', json_schema: { name, description, schema, strict } };
}
