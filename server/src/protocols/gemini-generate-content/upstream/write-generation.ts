// A neutral request as a generate-content request, for callers of another protocol.
import type { Dropped } from '../../../neutral/dropped.ts';
import {
  type Generation,
  needsTools,
  type SettingName,
  type Tool,
  type ToolChoice,
} from '../../../neutral/generation.ts';
import { originsOf, type OwnFields, writeBody } from '../../json/drop-fields.ts';
import type { JsonRecord } from '../../json/json-value.ts';
import type { GenerationTarget } from '../../text-protocol.ts';
import { camelCase } from '../spelling.ts';
import { fixedFields, settingPaths } from '../wire.ts';
import { writeMessages } from './write-messages.ts';
import { requiresSignature, writeSettings } from './write-settings.ts';

const NO_PLACE: readonly SettingName[] = ['user', 'metadata', 'verbosity', 'cacheKey'];
/** Other protocols have a word for the same; the default needs none. */
const TIERS: ReadonlyMap<string, string | undefined> = new Map([
  ['auto', undefined],
  ['default', 'standard'],
  ['standard', 'standard'],
  ['flex', 'flex'],
  ['priority', 'priority'],
]);

const ownFields: OwnFields = {
  fixed: fixedFields,
  ofTools: ['toolConfig'],
  origins: {
    ...originsOf(settingPaths),
    systemInstruction: ['instructions'],
    tools: ['tools'],
  },
};

export function writeGeneration(generation: Generation, target: GenerationTarget): Buffer {
  const { dropped, upstreamModel } = target;
  const { messages, tools, settings } = generation;
  const config = writeSettings(settings, target);
  const wire: JsonRecord = {
    ...writeMessages(messages, { dropped, needsSignature: requiresSignature(upstreamModel) }),
    ...(tools.length > 0 && { tools: [{ functionDeclarations: tools.map((tool) => writeTool(tool, dropped)) }] }),
    ...(tools.length > 0 && writeToolConfig(settings.toolChoice, tools)),
    ...(Object.keys(config).length > 0 && { generationConfig: config }),
    serviceTier: dropped.word('serviceTier', settings.serviceTier, TIERS),
  };
  if (settings.parallelToolCalls === false) dropped.setting('parallelToolCalls');
  for (const name of NO_PLACE) if (settings[name] !== undefined) dropped.setting(name);
  if (tools.length === 0 && needsTools(settings.toolChoice)) dropped.setting('toolChoice');
  return writeBody(wire, ownFields, generation, { ...target, dropFields: target.dropFields.map(camelCase) });
}

function writeTool({ name, description, parameters, cacheMark }: Tool, dropped: Dropped): JsonRecord {
  if (cacheMark !== undefined) dropped.path(cacheMark.path);
  return { name, description, parametersJsonSchema: parameters };
}

function writeToolConfig(choice: ToolChoice | undefined, tools: readonly Tool[]): JsonRecord {
  // The only mode in which the model may call or speak, and yet keeps to the schemas.
  const isStrict = tools.some(({ strict }) => strict === true);
  if (choice === undefined && !isStrict) return {};
  return { toolConfig: { functionCallingConfig: writeChoice(choice ?? { type: 'auto' }, isStrict) } };
}

function writeChoice(choice: ToolChoice, isStrict: boolean): JsonRecord {
  switch (choice.type) {
    case 'auto':
      return { mode: isStrict ? 'VALIDATED' : 'AUTO' };
    case 'none':
      return { mode: 'NONE' };
    case 'required':
      return { mode: 'ANY' };
    case 'tool':
      return { mode: 'ANY', allowedFunctionNames: [choice.name] };
    case 'allowed':
      return { mode: choice.mode === 'required' ? 'ANY' : 'VALIDATED', allowedFunctionNames: choice.names };
  }
}
