// The tools of a response: the same functions as chat's, written flat.
import { checkName, refuseMissing } from '../../fields/check-fields.ts';
import { isObject, refuse } from '../../fields/refuse.ts';
import { checkToolCount, hasTool, readCustomTool, type ToolChoice, type ToolFunction } from '../chat/tools.ts';

export function readTools(tools: unknown): ToolFunction[] {
  if (tools === undefined || tools === null) return [];
  if (!Array.isArray(tools)) refuse('tools', "Invalid type for 'tools': expected an array.");
  checkToolCount(tools);
  return tools.flatMap((tool: unknown, index) => readTool(tool, `tools[${index}]`));
}

/** Tools of other types are accepted, and never called. */
function readTool(tool: unknown, at: string): ToolFunction[] {
  if (!isObject(tool) || typeof tool['type'] !== 'string') refuseMissing(`${at}.type`);
  if (tool['type'] === 'custom')
    return [readCustomTool(tool, { at, grammar: tool['format'], grammarAt: `${at}.format` })];
  if (tool['type'] !== 'function') return [];
  const { name } = tool;
  if (typeof name !== 'string') refuseMissing(`${at}.name`);
  checkName(name, `${at}.name`);
  const parameters = tool['parameters'] ?? { type: 'object', properties: {} };
  if (!isObject(parameters)) refuse(`${at}.parameters`, `Invalid schema for function '${name}'.`);
  return [{ name, parameters }];
}

export function readToolChoice(choice: unknown, tools: readonly ToolFunction[]): ToolChoice {
  if (choice === undefined || choice === null) return 'auto';
  if (choice === 'auto' || choice === 'none' || choice === 'required') return choice;
  if (!isObject(choice)) refuse('tool_choice', "Invalid value for 'tool_choice'.", 'invalid_value');
  const { type, name } = choice;
  if (type !== 'function' && type !== 'custom') return 'auto';
  if (!hasTool(tools, name, type)) {
    refuse('tool_choice', `Tool choice '${type}' not found in 'tools' parameter.`, 'invalid_value');
  }
  return { name };
}
