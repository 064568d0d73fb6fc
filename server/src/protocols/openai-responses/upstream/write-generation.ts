// A neutral request as a responses request, for callers of another protocol. Nothing is left with the upstream.
import type { Dropped } from '../../../neutral/dropped.ts';
import type { Generation, OutputFormat, SettingName, Settings, Tool, ToolChoice } from '../../../neutral/generation.ts';
import { effortOf } from '../../../neutral/reasoning.ts';
import type { JsonRecord } from '../../json-value.ts';
import type { GenerationTarget } from '../../text-protocol.ts';
import { fixedFields } from '../wire.ts';
import { writeInput } from './write-input.ts';

/** Settings that this protocol has no place for. */
const FOREIGN: readonly SettingName[] = ['topK', 'stop', 'seed', 'presencePenalty', 'frequencyPenalty', 'choices'];

export function writeGeneration(generation: Generation, target: GenerationTarget): Buffer {
  const { settings, tools } = generation;
  const { dropped } = target;
  for (const name of FOREIGN) if (settings[name] !== undefined) dropped.setting(name);
  for (const { cacheMark } of tools) if (cacheMark !== undefined) dropped.path(cacheMark.path);
  const wire: JsonRecord = {
    model: target.upstreamModel,
    input: writeInput(generation.messages, dropped),
    store: false,
    ...(tools.length > 0 && { tools: tools.map(writeTool) }),
    ...writeSettings(settings),
    ...(generation.stream && { stream: true }),
  };
  for (const name of target.dropFields) if (!fixedFields.has(name)) delete wire[name];
  return Buffer.from(JSON.stringify(wire));
}

function writeSettings(settings: Settings): JsonRecord {
  const { reasoning, format, toolChoice, verbosity } = settings;
  const effort = reasoning === undefined ? undefined : effortOf(reasoning);
  return {
    max_output_tokens: settings.maxOutputTokens,
    temperature: settings.temperature,
    top_p: settings.topP,
    parallel_tool_calls: settings.parallelToolCalls,
    safety_identifier: settings.user,
    metadata: settings.metadata,
    service_tier: settings.serviceTier,
    ...(toolChoice !== undefined && { tool_choice: writeToolChoice(toolChoice) }),
    ...((format !== undefined || verbosity !== undefined) && {
      text: { ...(format !== undefined && { format: writeFormat(format) }), verbosity },
    }),
    // Only models that reason can be asked to hand it over sealed, and only that way it can come back.
    ...(reasoning !== undefined && {
      reasoning: { ...(effort !== undefined && { effort: effort === 'max' ? 'xhigh' : effort }), summary: 'auto' },
      include: ['reasoning.encrypted_content'],
    }),
  };
}

export function writeTool({ name, description, parameters, strict }: Tool): JsonRecord {
  return {
    type: 'function',
    name,
    description,
    parameters: parameters ?? { type: 'object', properties: {} },
    // This protocol is strict unless told otherwise, which schemas of other protocols' callers were not written for.
    strict: strict ?? false,
  };
}

export function writeToolChoice(choice: ToolChoice): unknown {
  if (choice.type === 'tool') return { type: 'function', name: choice.name };
  if (choice.type !== 'allowed') return choice.type;
  return { type: 'allowed_tools', mode: choice.mode, tools: choice.names.map((name) => ({ type: 'function', name })) };
}

export function writeFormat(format: OutputFormat): JsonRecord {
  if (format.type === 'json') return { type: 'json_object' };
  const { name = 'answer', description, schema, strict } = format;
  return { type: 'json_schema', name, description, schema, strict };
}
