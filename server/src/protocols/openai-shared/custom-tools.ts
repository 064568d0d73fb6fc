// Custom tools as the protocols of this family describe them, in requests and in the answers that repeat them.
import { invalidRequest } from '../../errors/gateway-error.ts';
import type { CustomFormat, Tool } from '../../neutral/generation.ts';
import { functionOf } from '../custom-tools/custom-tool.ts';
import {
  asRecord,
  type JsonRecord,
  needText,
  optionalRecord,
  optionalText,
  unknownFields,
} from '../json/json-value.ts';
import { type Frames, inside, within } from './frames.ts';

export const FIELDS = ['name', 'description', 'format'];

export function readCustomTool(wire: JsonRecord, frames: Frames, path: string, unknown: string[]): Tool {
  const { fields, path: fieldPath } = inside(wire, frames.custom, path);
  const outer = frames.custom === undefined ? ['type', ...FIELDS] : ['type', frames.custom];
  unknown.push(...unknownFields(wire, new Set(outer), `${path}.`));
  if (frames.custom !== undefined) unknown.push(...unknownFields(fields, new Set(FIELDS), `${fieldPath}.`));
  return functionOf({
    name: needText(fields['name'], `${fieldPath}.name`),
    description: optionalText(fields['description'], `${fieldPath}.description`),
    format: readFormat(fields['format'], frames, `${fieldPath}.format`),
    path,
  });
}

function readFormat(value: unknown, frames: Frames, path: string): CustomFormat | undefined {
  const wire = optionalRecord(value, path);
  if (wire === undefined || wire['type'] === 'text') return undefined;
  if (wire['type'] !== 'grammar') throw invalidRequest(`'${path}.type' must be text or grammar.`, `${path}.type`);
  const { fields, path: fieldPath } = inside(wire, frames.grammar, path);
  return {
    type: 'grammar',
    syntax: needText(fields['syntax'], `${fieldPath}.syntax`),
    definition: needText(fields['definition'], `${fieldPath}.definition`),
  };
}

/** As its caller described it; undefined where the tool is a plain function. */
export function writeCustomTool({ name, custom }: Tool, frames: Frames): JsonRecord | undefined {
  if (custom === undefined) return undefined;
  const { format, description } = custom;
  const { type, ...rest } = format;
  const written = format.type === 'text' ? { type } : { type, ...within(rest, frames.grammar) };
  return { type: 'custom', ...within({ name, description, format: written }, frames.custom) };
}

/** The name in a tool choice or an entry of allowed tools, where it is that of a function or a custom tool. */
export function namedTool(wire: JsonRecord, frames: Frames): unknown {
  const frame = wire['type'] === 'custom' ? frames.custom : frames.function;
  return (frame === undefined ? wire : asRecord(wire[frame]))?.['name'];
}
