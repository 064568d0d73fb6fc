// The tools of a response: the same functions as chat's, written flat.
import { checkName, refuseMissing } from '../../fields/check-fields.ts';
import { isObject, refuse } from '../../fields/refuse.ts';
import { checkToolCount, type ToolChoice, type ToolFunction } from '../chat/tools.ts';

export function readTools(tools: unknown): ToolFunction[] {
  if (tools === undefined || tools === null) return [];
  if (!Array.isArray(tools)) refuse('tools', "Invalid type for 'tools': expected an array.");
  checkToolCount(tools);
  return tools.flatMap((tool: unknown, index) => readTool(tool, `tools[${index}]`));
}

/** Tools of other types are accepted, and never called. */
function readTool(tool: unknown, at: string): ToolFunction[] {
  if (!isObject(tool) || typeof tool['type'] !== 'string') refuseMissing(`${at}.type`);
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
  if (choice['type'] !== 'function') return 'auto';
  const { name } = choice;
  if (typeof name !== 'string' || !tools.some((tool) => tool.name === name)) {
    refuse('tool_choice', "Tool choice 'function' not found in 'tools' parameter.", 'invalid_value');
  }
  return { name };
}
