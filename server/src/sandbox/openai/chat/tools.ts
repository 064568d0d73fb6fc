// The tools of a chat request: checked, and chosen by what the user wrote.
import { checkName, checkOneOf, refuseMissing } from '../../fields/check-fields.ts';
import { isObject, refuse, type WireObject } from '../../fields/refuse.ts';

export type ToolFunction = {
  name: string;
  parameters: WireObject;
  /** It is called with free text instead of JSON. */
  isCustom?: true;
};
/** A name forces that function or custom tool. */
export type ToolChoice = 'auto' | 'none' | 'required' | { name: string };

export function checkTools(tools: unknown, choice: unknown): { tools: ToolFunction[]; toolChoice: ToolChoice } {
  const hasTools = tools !== undefined && tools !== null;
  if (hasTools && !Array.isArray(tools)) refuse('tools', "Invalid type for 'tools': expected an array.");
  const list: unknown[] = Array.isArray(tools) ? tools : [];
  if (hasTools && list.length === 0) refuse('tools', "Invalid 'tools': empty array.", 'empty_array');
  checkToolCount(list);
  const functions = list.flatMap((tool, index) => readTool(tool, `tools[${index}]`));
  return { tools: functions, toolChoice: readChoice(choice, functions, hasTools) };
}

const mostTools = 128;

export function checkToolCount({ length }: readonly unknown[]): void {
  if (length <= mostTools) return;
  const got = `but got an array with length ${length} instead.`;
  const message = `Invalid 'tools': array too long. Expected an array with maximum length ${mostTools}, ${got}`;
  refuse('tools', message, 'array_above_max_length');
}

/** Tools of other types are accepted, and never called. */
function readTool(tool: unknown, at: string): ToolFunction[] {
  if (!isObject(tool) || typeof tool['type'] !== 'string') {
    refuse(`${at}.type`, `Missing required parameter: '${at}.type'.`, 'missing_required_parameter');
  }
  if (tool['type'] === 'custom') {
    const { custom } = tool;
    if (!isObject(custom)) refuseMissing(`${at}.custom`);
    const { format } = custom;
    const grammar = isObject(format) ? format['grammar'] : undefined;
    return [readCustomTool(custom, { at: `${at}.custom`, grammar, grammarAt: `${at}.custom.format.grammar` })];
  }
  if (tool['type'] !== 'function') return [];
  const described = tool['function'];
  if (!isObject(described) || typeof described['name'] !== 'string') {
    refuse(`${at}.function.name`, `Missing required parameter: '${at}.function.name'.`, 'missing_required_parameter');
  }
  const { name } = described;
  checkName(name, `${at}.function.name`);
  const parameters = described['parameters'] ?? { type: 'object', properties: {} };
  if (!isObject(parameters)) refuse(`${at}.function.parameters`, `Invalid schema for function '${name}'.`);
  return [{ name, parameters }];
}

export function hasTool(tools: readonly ToolFunction[], name: unknown, type: 'function' | 'custom'): name is string {
  return tools.some((tool) => tool.name === name && (tool.isCustom === true) === (type === 'custom'));
}

/** A grammar is checked for what it must have; what the sandbox says does not follow it. */
export function readCustomTool(
  { name, format }: WireObject,
  { at, grammar, grammarAt }: { at: string; grammar: unknown; grammarAt: string },
): ToolFunction {
  if (typeof name !== 'string') refuseMissing(`${at}.name`);
  checkName(name, `${at}.name`);
  const type = isObject(format) ? format['type'] : 'text';
  if (type !== 'text' && type !== 'grammar') {
    refuse(`${at}.format.type`, "Invalid value. Supported values are: 'text', 'grammar'.", 'invalid_value');
  }
  if (type === 'grammar') {
    if (!isObject(grammar)) refuseMissing(grammarAt);
    if (typeof grammar['definition'] !== 'string') refuseMissing(`${grammarAt}.definition`);
    if (checkOneOf(grammar['syntax'], `${grammarAt}.syntax`, ['lark', 'regex']) === undefined)
      refuseMissing(`${grammarAt}.syntax`);
  }
  return { name, parameters: {}, isCustom: true };
}

function readChoice(choice: unknown, tools: readonly ToolFunction[], hasTools: boolean): ToolChoice {
  if (choice === undefined || choice === null) return 'auto';
  if (!hasTools) {
    refuse('tool_choice', "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.");
  }
  if (choice === 'auto' || choice === 'none' || choice === 'required') return choice;
  if (!isObject(choice)) refuse('tool_choice', "Invalid value for 'tool_choice'.", 'invalid_value');
  const { type } = choice;
  if (type !== 'function' && type !== 'custom') return 'auto';
  const chosen = choice[type];
  const name = isObject(chosen) ? chosen['name'] : undefined;
  if (!hasTool(tools, name, type)) {
    refuse('tool_choice', `Invalid value for 'tool_choice': no such ${type} in 'tools'.`, 'invalid_value');
  }
  return { name };
}

export type ToolQuestion = {
  text: string;
  tools: readonly ToolFunction[];
  toolChoice: ToolChoice;
  parallelToolCalls: boolean;
};

/** Which functions the sandbox calls for a user's text; none means that it answers in words. */
export function chooseTools({ text, tools, toolChoice, parallelToolCalls }: ToolQuestion): ToolFunction[] {
  if (toolChoice === 'none') return [];
  if (typeof toolChoice === 'object') return tools.filter((tool) => tool.name === toolChoice.name).slice(0, 1);
  const lower = text.toLowerCase();
  const mentioned = tools.filter((tool) => lower.includes(tool.name.toLowerCase()));
  if (mentioned.length > 0) return parallelToolCalls ? mentioned : mentioned.slice(0, 1);
  const asksWeather = lower.includes('weather');
  const fitting = asksWeather ? tools.find((tool) => tool.name.toLowerCase().includes('weather')) : undefined;
  if (asksWeather || lower.includes('use the tool') || toolChoice === 'required') {
    return [fitting ?? tools[0]].flatMap((tool) => tool ?? []);
  }
  return [];
}
