// Tools, the choice among them and schemas of output.
import { invalidRequest } from '../../errors/gateway-error.ts';
import type { OutputFormat, Tool, ToolChoice } from '../../neutral/generation.ts';
import {
  asRecord,
  asText,
  type JsonRecord,
  needList,
  needRecord,
  needText,
  optionalFlag,
  optionalList,
  optionalRecord,
  optionalText,
  present,
  unknownFields,
} from '../json/json-value.ts';
import { readCacheMark } from './content.ts';
import { namedTool, readCustomTool } from './custom-tools.ts';
import { type Frames, inside, within } from './frames.ts';

const NONE: ReadonlySet<string> = new Set();
export const FUNCTION_FIELDS = ['name', 'description', 'parameters', 'strict'];

export function readTools(value: unknown, frames: Frames, unknown: string[]): Tool[] {
  return optionalList(value, 'tools').flatMap((one, index) => {
    const path = `tools[${index}]`;
    const wire = needRecord(one, path);
    if (wire['type'] === 'custom') return [readCustomTool(wire, frames, path, unknown)];
    // Hosted tools live with their provider.
    if (wire['type'] !== 'function') {
      unknown.push(path);
      return [];
    }
    const { fields, path: fieldPath } = inside(wire, frames.function, path);
    unknown.push(...unknownToolFields(wire, frames, path));
    return [
      present<Tool>({
        name: needText(fields['name'], `${fieldPath}.name`),
        description: optionalText(fields['description'], `${fieldPath}.description`),
        parameters: optionalRecord(fields['parameters'], `${fieldPath}.parameters`),
        strict: optionalFlag(fields['strict'], `${fieldPath}.strict`),
        cacheMark: readCacheMark(wire, path).cacheMark,
        path,
      }),
    ];
  });
}

function unknownToolFields(wire: JsonRecord, frames: Frames, path: string): string[] {
  const own = ['type', 'cache_control'];
  if (frames.function === undefined) return unknownFields(wire, new Set([...own, ...FUNCTION_FIELDS]), `${path}.`);
  const inner = asRecord(wire[frames.function]) ?? {};
  return [
    ...unknownFields(wire, new Set([...own, frames.function]), `${path}.`),
    ...unknownFields(inner, new Set(FUNCTION_FIELDS), `${path}.${frames.function}.`),
  ];
}

export function readToolChoice(value: unknown, frames: Frames, unknown: string[]): ToolChoice | undefined {
  if (value === undefined || value === null) return undefined;
  if (value === 'auto' || value === 'none' || value === 'required') return { type: value };
  const wire = asRecord(value);
  if (wire === undefined) {
    const message = "'tool_choice' must be auto, none, required or an object that names a function.";
    throw invalidRequest(message, 'tool_choice');
  }
  if (wire['type'] === 'function' || wire['type'] === 'custom') {
    const { fields, path } = inside(wire, frames[wire['type']], 'tool_choice');
    return { type: 'tool', name: needText(fields['name'], `${path}.name`) };
  }
  if (wire['type'] === 'allowed_tools') return readAllowed(wire, frames, unknown);
  unknown.push('tool_choice');
  return undefined;
}

function readAllowed(wire: JsonRecord, frames: Frames, unknown: string[]): ToolChoice | undefined {
  const { fields, path } = inside(wire, frames.allowed, 'tool_choice');
  const names = needList(fields['tools'], `${path}.tools`).flatMap((one, index) => {
    const tool = asRecord(one) ?? {};
    const name = asText(namedTool(tool, frames));
    if ((tool['type'] === 'function' || tool['type'] === 'custom') && name !== undefined) return [name];
    unknown.push(`${path}.tools[${index}]`);
    return [];
  });
  if (names.length === 0) return undefined;
  return { type: 'allowed', names, mode: fields['mode'] === 'required' ? 'required' : 'auto' };
}

export function readOutputFormat(value: unknown, frames: Frames, unknown: string[]): OutputFormat | undefined {
  const { formatPath } = frames;
  const wire = optionalRecord(value, formatPath);
  if (wire === undefined || wire['type'] === 'text') return undefined;
  if (wire['type'] === 'json_object') return { type: 'json' };
  if (wire['type'] !== 'json_schema') {
    unknown.push(formatPath);
    return undefined;
  }
  const { fields, path } = inside(wire, frames.schema, formatPath);
  return present<Extract<OutputFormat, { type: 'schema' }>>({
    type: 'schema',
    schema: optionalRecord(fields['schema'], `${path}.schema`) ?? {},
    name: optionalText(fields['name'], `${path}.name`),
    description: optionalText(fields['description'], `${path}.description`),
    strict: optionalFlag(fields['strict'], `${path}.strict`),
  });
}

/** `custom` are the names of tools that are custom ones to the reader. */
export function writeToolChoice(choice: ToolChoice, frames: Frames, custom: ReadonlySet<string> = NONE): unknown {
  const named = (name: string): JsonRecord => {
    const type = custom.has(name) ? 'custom' : 'function';
    return { type, ...within({ name }, frames[type]) };
  };
  if (choice.type === 'tool') return named(choice.name);
  if (choice.type !== 'allowed') return choice.type;
  return { type: 'allowed_tools', ...within({ mode: choice.mode, tools: choice.names.map(named) }, frames.allowed) };
}

export function writeOutputFormat(format: OutputFormat, frames: Frames): JsonRecord {
  if (format.type === 'json') return { type: 'json_object' };
  const { name = 'answer', description, schema, strict } = format;
  return { type: 'json_schema', ...within({ name, description, schema, strict }, frames.schema) };
}
