// The tools of a request and which of them must, may or must not be called.
import { isObject, type WireObject } from '../../fields/refuse.ts';
import { serverToolNames } from '../../text/server-side.ts';
import type { ToolChoice, ToolFunction } from '../../openai/chat/tools.ts';
import { Refusal } from '../../refusal.ts';
import { type Check, dictionary, flag, list, nullable, oneOf, refuseAt, shape, tagged, text } from '../checks.ts';
import { cacheControl, toolName } from './content-blocks.ts';

/** Dated tools that the client runs. */
const ofClients = ['custom', 'bash', 'text_editor', 'computer', 'memory'];

export type Tools = {
  tools: ToolFunction[];
  serverTools: string[];
  toolChoice: ToolChoice;
  parallelToolCalls: boolean;
};

const inputSchema: Check = (schema, at) => {
  dictionary(schema, at);
  if (!isObject(schema)) return;
  if (schema['type'] === undefined) refuseAt(`${at}.type`, 'Field required');
  oneOf('object')(schema['type'], `${at}.type`);
  if (['oneOf', 'allOf', 'anyOf'].some((name) => name in schema)) {
    refuseAt(at, 'input_schema does not support oneOf, allOf, or anyOf at the top level');
  }
};
const customTool = shape(
  { name: toolName, input_schema: inputSchema },
  {
    type: nullable(oneOf('custom')),
    description: text,
    cache_control: cacheControl,
    strict: flag,
    defer_loading: flag,
    eager_input_streaming: nullable(flag),
    input_examples: list(dictionary),
    allowed_callers: list(text),
  },
);
/** Tools whose schema the service knows itself, such as `web_search_20250305`. */
const serverTool = /^[a-z][a-z_0-9]*_20\d{6}$/;

const parallel = { disable_parallel_tool_use: flag };
const choice = tagged({
  auto: shape({}, parallel),
  any: shape({}, parallel),
  tool: shape({ name: text }, parallel),
  none: shape({}),
});

export function checkTools(tools: unknown, toolChoice: unknown): Tools {
  if (tools !== undefined) list(checkTool)(tools, 'tools');
  const given = (tools ?? []) as WireObject[];
  const names = given.map(({ name }) => name);
  if (new Set(names).size < names.length) refuseAt('tools', 'Tool names must be unique.');
  const isCustom = ({ type }: WireObject): boolean => type === undefined || type === null || type === 'custom';
  const functions = given
    .filter(isCustom)
    .map((tool) => ({ name: String(tool['name']), parameters: tool['input_schema'] as WireObject }));
  return { tools: functions, serverTools: serverToolNames(given, ofClients), ...readChoice(toolChoice, names) };
}

function checkTool(tool: unknown, at: string): void {
  if (!isObject(tool)) refuseAt(at, 'Input should be a valid dictionary');
  const { type = 'custom' } = tool;
  if (type === 'custom' || type === null) return customTool(tool, `${at}.custom`);
  if (typeof type !== 'string' || !serverTool.test(type)) {
    const found = `Input tag '${(typeof type === 'string' ? type : JSON.stringify(type)).slice(0, 100)}' found using 'type'`;
    refuseAt(at, `${found} does not match any of the expected tags: 'custom' and the dated ones of the service`);
  }
  if (typeof tool['name'] !== 'string') refuseAt(`${at}.${type}.name`, 'Field required');
}

function readChoice(given: unknown, names: readonly unknown[]): Pick<Tools, 'toolChoice' | 'parallelToolCalls'> {
  if (given === undefined) return { toolChoice: 'auto', parallelToolCalls: true };
  choice(given, 'tool_choice');
  if (names.length === 0) refuseAt('tool_choice', 'tool_choice may only be specified while providing tools');
  const { type, name, disable_parallel_tool_use: single } = given as WireObject;
  if (type === 'tool' && !names.includes(name)) {
    throw new Refusal({ status: 400, message: `Tool '${String(name)}' not found in provided tools` });
  }
  const plain = type === 'none' ? 'none' : type === 'any' ? 'required' : 'auto';
  return { toolChoice: type === 'tool' ? { name: String(name) } : plain, parallelToolCalls: single !== true };
}
