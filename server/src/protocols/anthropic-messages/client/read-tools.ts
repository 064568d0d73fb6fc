// Tools of a request and how they may be chosen.
import { invalidRequest } from '../../../errors/gateway-error.ts';
import type { Settings, Tool } from '../../../neutral/generation.ts';
import { asList, asText, needRecord, needText, unknownFields } from '../../json/json-value.ts';
import { readCacheMark } from './read-content.ts';

/** `eager_input_streaming` only says how the arguments are cut: it means nothing to other protocols. */
export const TOOL_FIELDS: ReadonlySet<string> = new Set([
  'type',
  'name',
  'description',
  'input_schema',
  'strict',
  'cache_control',
  'eager_input_streaming',
]);
export const CHOICE_FIELDS: ReadonlySet<string> = new Set(['type', 'name', 'disable_parallel_tool_use']);

export function readTools(tools: unknown, unknown: string[]): Tool[] {
  return asList(tools).flatMap((tool, index) => readTool(tool, `tools[${index}]`, unknown) ?? []);
}

/** Tools that the provider itself runs are known to nobody else. */
function readTool(value: unknown, path: string, unknown: string[]): Tool | undefined {
  const tool = needRecord(value, path);
  const type = tool['type'] ?? 'custom';
  if (type !== 'custom') {
    unknown.push(path);
    return undefined;
  }
  unknown.push(...unknownFields(tool, TOOL_FIELDS, `${path}.`));
  const description = asText(tool['description']);
  const cacheMark = readCacheMark(tool, `${path}.`);
  return {
    name: needText(tool['name'], `${path}.name`),
    ...(description !== undefined && { description }),
    parameters: needRecord(tool['input_schema'], `${path}.input_schema`),
    ...(typeof tool['strict'] === 'boolean' && { strict: tool['strict'] }),
    ...(cacheMark !== undefined && { cacheMark }),
    path,
  };
}

export function readToolChoice(value: unknown, unknown: string[]): Pick<Settings, 'toolChoice' | 'parallelToolCalls'> {
  if (value === undefined || value === null) return {};
  const choice = needRecord(value, 'tool_choice');
  unknown.push(...unknownFields(choice, CHOICE_FIELDS, 'tool_choice.'));
  const single = choice['disable_parallel_tool_use'];
  const parallel = typeof single === 'boolean' ? { parallelToolCalls: !single } : {};
  const type = needText(choice['type'], 'tool_choice.type');
  if (type === 'auto' || type === 'none') return { toolChoice: { type }, ...parallel };
  if (type === 'any') return { toolChoice: { type: 'required' }, ...parallel };
  if (type === 'tool')
    return { toolChoice: { type: 'tool', name: needText(choice['name'], 'tool_choice.name') }, ...parallel };
  throw invalidRequest("'tool_choice.type' must be 'auto', 'any', 'tool' or 'none'.", 'tool_choice.type');
}
