// Tools of a request and how they may be chosen.
import type { Dropped } from '../../../neutral/dropped.ts';
import { type Generation, needsTools, type Tool, type ToolChoice } from '../../../neutral/generation.ts';
import type { JsonRecord } from '../../json/json-value.ts';
import type { Turn } from '../../translation/turns.ts';
import type { ModelTraits } from './model-traits.ts';
import { writeOutputSchema } from './output-schema.ts';
import { writeCacheMark } from './write-content.ts';

export interface ToolsContext {
  traits: ModelTraits;
  /** Forcing a tool is refused then. */
  thinks: boolean;
  turns: readonly Turn[];
  dropped: Dropped;
}

export function writeTools({ tools, settings }: Generation, context: ToolsContext): JsonRecord {
  const { toolChoice, parallelToolCalls } = settings;
  const offered = toolChoice?.type === 'allowed' ? tools.filter(({ name }) => toolChoice.names.includes(name)) : tools;
  if (offered.length === 0) {
    if (needsTools(toolChoice)) context.dropped.setting('toolChoice');
    return writeFormerTools(context.turns);
  }
  const choice = writeChoice(toolChoice, context);
  if (parallelToolCalls === false && choice['type'] !== 'none') choice['disable_parallel_tool_use'] = true;
  const isDefault = choice['type'] === 'auto' && parallelToolCalls !== false;
  const written = offered.map((tool) => writeTool(tool, context));
  return isDefault ? { tools: written } : { tools: written, tool_choice: choice };
}

function writeTool(
  { name, description, parameters, strict, isStrictByDefault, cacheMark, path }: Tool,
  context: ToolsContext,
): JsonRecord {
  const isStrict = strict === true && context.traits.takesSchemas;
  if (strict === true && !isStrict && isStrictByDefault !== true) context.dropped.path(`${path}.strict`);
  const schema = { ...(parameters ?? { properties: {} }), type: 'object' };
  return {
    name,
    ...(description !== undefined && { description }),
    input_schema: isStrict ? writeOutputSchema(schema) : schema,
    ...(isStrict && { strict }),
    ...(cacheMark !== undefined && { cache_control: writeCacheMark(cacheMark) }),
  };
}

function writeChoice(choice: ToolChoice | undefined, { thinks, dropped }: ToolsContext): JsonRecord {
  if (choice === undefined) return { type: 'auto' };
  const type = choice.type === 'allowed' ? choice.mode : choice.type;
  if (type === 'auto' || type === 'none') return { type };
  if (thinks) {
    dropped.setting('toolChoice');
    return { type: 'auto' };
  }
  return choice.type === 'tool' ? { type: 'tool', name: choice.name } : { type: 'any' };
}

/** A conversation with calls in it needs tools: those it has called are named again, and may not be called. */
function writeFormerTools(turns: readonly Turn[]): JsonRecord {
  const uses = turns.flatMap(({ content }) => content.filter(({ type }) => type === 'tool_use'));
  const names = new Set(uses.map(({ name }) => name));
  if (names.size === 0) return {};
  const tools = [...names].map((name) => ({ name, input_schema: { type: 'object', properties: {} } }));
  return { tools, tool_choice: { type: 'none' } };
}
