// Tools, the choice among them and the form of the output, from a responses request.
import { invalidRequest } from '../../../errors/gateway-error.ts';
import type { OutputFormat, Tool, ToolChoice } from '../../../neutral/generation.ts';
import { asList, asRecord, asText, needList, needRecord, needText } from '../../json-value.ts';

export function readTools(value: unknown, unknown: string[]): Tool[] {
  if (value === undefined || value === null) return [];
  return needList(value, 'tools').flatMap((one, index) => {
    const path = `tools[${index}]`;
    const wire = needRecord(one, path);
    // Hosted and custom tools live with their provider.
    if (wire['type'] !== 'function') {
      unknown.push(path);
      return [];
    }
    const description = asText(wire['description']);
    const parameters = asRecord(wire['parameters']);
    const { strict } = wire;
    return [
      {
        name: needText(wire['name'], `${path}.name`),
        ...(description !== undefined && { description }),
        ...(parameters !== undefined && { parameters }),
        ...(typeof strict === 'boolean' && { strict }),
        path,
      },
    ];
  });
}

export function readToolChoice(value: unknown, unknown: string[]): ToolChoice | undefined {
  if (value === undefined || value === null) return undefined;
  if (value === 'auto' || value === 'none' || value === 'required') return { type: value };
  const wire = asRecord(value);
  if (wire?.['type'] === 'function') return { type: 'tool', name: needText(wire['name'], 'tool_choice.name') };
  if (wire?.['type'] === 'allowed_tools') {
    const names = asList(wire['tools']).flatMap((one) => asText(asRecord(one)?.['name']) ?? []);
    return { type: 'allowed', names, mode: wire['mode'] === 'required' ? 'required' : 'auto' };
  }
  if (wire === undefined)
    throw invalidRequest(
      "'tool_choice' must be auto, none, required or an object that names a function.",
      'tool_choice',
    );
  unknown.push('tool_choice');
  return undefined;
}

export function readFormat(value: unknown, unknown: string[]): OutputFormat | undefined {
  const wire = asRecord(value);
  if (wire === undefined || wire['type'] === 'text') return undefined;
  if (wire['type'] === 'json_object') return { type: 'json' };
  if (wire['type'] !== 'json_schema') {
    unknown.push('text.format');
    return undefined;
  }
  const name = asText(wire['name']);
  const description = asText(wire['description']);
  const { strict } = wire;
  return {
    type: 'schema',
    schema: asRecord(wire['schema']) ?? {},
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(typeof strict === 'boolean' && { strict }),
  };
}
