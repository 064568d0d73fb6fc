// Tools of a request and how they may be chosen. The protocol cannot forbid calls: then no tool is offered, unless the
// conversation has calls in it, which need tools.
import type { Dropped } from '../../../neutral/dropped.ts';
import { type Generation, needsTools, type Tool, type ToolChoice } from '../../../neutral/generation.ts';
import type { JsonRecord } from '../../json/json-value.ts';
import type { ModelTraits } from './model-traits.ts';
import type { ContentWriter } from './write-content.ts';

export function writeTools(
  { tools, settings, messages }: Generation,
  { writer, traits, dropped }: { writer: ContentWriter; traits: ModelTraits; dropped: Dropped },
): JsonRecord {
  const { toolChoice, parallelToolCalls } = settings;
  if (parallelToolCalls === false) dropped.setting('parallelToolCalls');
  const called = calledIn(messages);
  const offered = offeredOf(tools, toolChoice, called.size > 0);
  if (offered.length === 0) {
    if (needsTools(toolChoice)) dropped.setting('toolChoice');
    return called.size === 0 ? {} : { toolConfig: { tools: [...called].map((name) => specOf({ name, path: '' })) } };
  }
  if (toolChoice?.type === 'none') dropped.setting('toolChoice');
  const choice = writeChoice(toolChoice);
  const written = offered.flatMap((tool) => {
    const isLost = tool.strict === true && tool.isStrictByDefault !== true && !traits.takesSchemas;
    if (isLost) dropped.path(`${tool.path}.strict`);
    return [specOf(tool, traits.takesSchemas), ...writer.mark(tool.cacheMark)];
  });
  return { toolConfig: { tools: written, ...(choice !== undefined && { toolChoice: choice }) } };
}

function offeredOf(tools: readonly Tool[], choice: ToolChoice | undefined, hasCalls: boolean): readonly Tool[] {
  if (choice?.type === 'none' && !hasCalls) return [];
  return choice?.type === 'allowed' ? tools.filter(({ name }) => choice.names.includes(name)) : tools;
}

function calledIn(messages: Generation['messages']): Set<string> {
  const calls = messages.flatMap(({ content }) => content.filter((part) => part.type === 'tool-call'));
  return new Set(calls.map(({ name }) => name));
}

function specOf({ name, description, parameters, strict }: Tool, takesSchemas = false): JsonRecord {
  return {
    toolSpec: {
      name,
      ...(description !== undefined && description !== '' && { description }),
      inputSchema: { json: { ...(parameters ?? { properties: {} }), type: 'object' } },
      ...(strict === true && takesSchemas && { strict }),
    },
  };
}

function writeChoice(choice: ToolChoice | undefined): JsonRecord | undefined {
  if (choice === undefined) return undefined;
  const type = choice.type === 'allowed' ? choice.mode : choice.type;
  if (choice.type === 'tool') return { tool: { name: choice.name } };
  return type === 'required' ? { any: {} } : undefined;
}
