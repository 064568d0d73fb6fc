// The functions that a request declares, and which of them must, may or must not be called.
import { isObject, type WireObject } from '../../fields/refuse.ts';
import type { ToolChoice, ToolFunction } from '../../openai/chat/tools.ts';
import { refuseArgument } from '../wire/violations.ts';
import { findBrokenRules, toJsonSchema } from './schema-rules.ts';

export type Tools = { tools: ToolFunction[]; toolChoice: ToolChoice };

const namePattern = /^[a-zA-Z_][\w.:-]{0,63}$/;
const nameRule =
  'Invalid function name. Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 64.';

const mostFunctions = 512;

type Declaration = { name?: string; parameters?: WireObject; parametersJsonSchema?: unknown; response?: WireObject };

export function checkTools(tools: unknown, config: unknown): Tools {
  const broken: string[] = [];
  const functions: ToolFunction[] = [];
  for (const [index, tool] of ((tools ?? []) as WireObject[]).entries()) {
    for (const [path, one] of ((tool['functionDeclarations'] ?? []) as Declaration[]).entries()) {
      const at = `GenerateContentRequest.tools[${index}].function_declarations[${path}]`;
      broken.push(...checkDeclaration(one, at));
      functions.push({ name: one.name ?? '', parameters: readParameters(one) });
    }
  }
  if (broken.length > 0) refuseArgument(`${broken.join('\n')}\n`);
  if (functions.length > mostFunctions) {
    refuseArgument(`At most ${mostFunctions} function declarations are allowed, got ${functions.length}.`);
  }
  const names = functions.map(({ name }) => name);
  const doubled = names.find((name, index) => names.indexOf(name) < index);
  if (doubled !== undefined) refuseArgument(`Duplicate function declaration found: ${doubled}`);
  return readChoice(functions, isObject(config) ? config['functionCallingConfig'] : undefined);
}

function checkDeclaration(
  { name = '', parameters, parametersJsonSchema, response }: Declaration,
  at: string,
): string[] {
  const broken = namePattern.test(name) ? [] : [`* ${at}.name: ${nameRule}`];
  if (parameters !== undefined) broken.push(...findBrokenRules(parameters, `${at}.parameters`));
  if (response !== undefined) broken.push(...findBrokenRules(response, `${at}.response`));
  if (parameters !== undefined && parametersJsonSchema !== undefined) {
    broken.push(`* ${at}: only one of parameters and parameters_json_schema may be set.`);
  }
  return broken;
}

function readParameters({ parameters, parametersJsonSchema }: Declaration): WireObject {
  if (isObject(parametersJsonSchema)) return parametersJsonSchema;
  return parameters === undefined ? { type: 'object', properties: {} } : toJsonSchema(parameters);
}

function readChoice(functions: ToolFunction[], config: unknown): Tools {
  if (!isObject(config)) return { tools: functions, toolChoice: 'auto' };
  const { mode = 'AUTO', allowedFunctionNames } = config;
  const allowed = (allowedFunctionNames ?? []) as string[];
  if (functions.length === 0 && mode !== 'NONE') {
    refuseArgument('Function calling config is set without function_declarations.');
  }
  if (allowed.length > 0 && mode !== 'ANY' && mode !== 'VALIDATED') {
    refuseArgument('allowed_function_names should be set only when function calling mode is ANY or VALIDATED.');
  }
  const unknown = allowed.find((name) => !functions.some((one) => one.name === name));
  if (unknown !== undefined) {
    refuseArgument(`allowed_function_names contains ${unknown}, which is not among the function declarations.`);
  }
  const tools = allowed.length === 0 ? functions : functions.filter(({ name }) => allowed.includes(name));
  if (mode === 'NONE') return { tools, toolChoice: 'none' };
  return { tools, toolChoice: mode === 'ANY' ? 'required' : 'auto' };
}
