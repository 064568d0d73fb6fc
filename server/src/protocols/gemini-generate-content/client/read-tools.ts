// Functions, and the choice among them. All other tools live with their provider.
import type { Tool, ToolChoice } from '../../../neutral/generation.ts';
import { asList, asRecord, asText, type JsonRecord, needRecord, needText } from '../../json/json-value.ts';
import { readKnown } from '../spelling.ts';
import { readSchema } from './read-schema.ts';

export const TOOL_FIELDS: ReadonlySet<string> = new Set(['functionDeclarations']);
export const DECLARATION_FIELDS: ReadonlySet<string> = new Set([
  'name',
  'description',
  'parameters',
  'parametersJsonSchema',
]);
export const CONFIG_FIELDS: ReadonlySet<string> = new Set(['functionCallingConfig']);
/** How calls are streamed is the writer's own matter. */
export const CHOICE_FIELDS: ReadonlySet<string> = new Set([
  'mode',
  'allowedFunctionNames',
  'streamFunctionCallArguments',
]);

export function readTools(value: unknown, unknown: string[]): Tool[] {
  return listOf(value).flatMap((one, index) => {
    const prefix = `tools[${index}]`;
    const wire = readKnown(needRecord(one, prefix), TOOL_FIELDS, { prefix: `${prefix}.`, unknown });
    return listOf(wire['functionDeclarations']).map((declaration, declarationIndex) =>
      readDeclaration(declaration, `${prefix}.functionDeclarations[${declarationIndex}]`, unknown),
    );
  });
}

/** undefined when the caller leaves it to the model without a word. */
export function readToolChoice(value: unknown, unknown: string[]): ToolChoice | undefined {
  if (value === undefined) return undefined;
  const path = 'toolConfig';
  const config = readKnown(needRecord(value, path), CONFIG_FIELDS, { prefix: `${path}.`, unknown });
  if (config['functionCallingConfig'] === undefined) return undefined;
  const at = `${path}.functionCallingConfig`;
  const wire = readKnown(needRecord(config['functionCallingConfig'], at), CHOICE_FIELDS, { prefix: `${at}.`, unknown });
  const names = asList(wire['allowedFunctionNames']).map((name, index) =>
    needText(name, `${at}.allowedFunctionNames[${index}]`),
  );
  // Only these modes choose among them.
  if (names.length > 0 && wire['mode'] !== 'ANY' && wire['mode'] !== 'VALIDATED')
    unknown.push(`${at}.allowedFunctionNames`);
  return choiceOf(wire, names, { path: `${at}.mode`, unknown });
}

function choiceOf(
  { mode }: JsonRecord,
  names: string[],
  { path, unknown }: { path: string; unknown: string[] },
): ToolChoice | undefined {
  const [only, ...others] = names;
  switch (mode) {
    case undefined:
    case 'MODE_UNSPECIFIED':
    case 'AUTO':
      return { type: 'auto' };
    case 'NONE':
      return { type: 'none' };
    case 'ANY':
      if (only === undefined) return { type: 'required' };
      return others.length === 0 ? { type: 'tool', name: only } : { type: 'allowed', names, mode: 'required' };
    case 'VALIDATED':
      return only === undefined ? { type: 'auto' } : { type: 'allowed', names, mode: 'auto' };
    default:
      unknown.push(path);
      return undefined;
  }
}

function readDeclaration(value: unknown, path: string, unknown: string[]): Tool {
  const wire = readKnown(needRecord(value, path), DECLARATION_FIELDS, { prefix: `${path}.`, unknown });
  const description = asText(wire['description']);
  const { parameters: schema, parametersJsonSchema: jsonSchema } = wire;
  const parameters =
    jsonSchema === undefined
      ? schema === undefined
        ? undefined
        : readSchema(needRecord(schema, `${path}.parameters`))
      : asRecord(jsonSchema);
  return {
    name: needText(wire['name'], `${path}.name`),
    ...(description !== undefined && { description }),
    ...(parameters !== undefined && { parameters }),
    path,
  };
}

/** The protocol takes one object for a list of one. */
function listOf(value: unknown): unknown[] {
  return value === undefined ? [] : Array.isArray(value) ? value : [value];
}
