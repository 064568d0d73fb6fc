// Custom tools take free text, bound by a grammar or not. Protocols without them get a function with one text field
// (contract-2 7).
import type { CustomFormat, Tool } from '../../neutral/generation.ts';

/** The one field of the function that stands for a custom tool. */
export const INPUT = 'input';

const TEXT_FORMAT: CustomFormat = { type: 'text' };

export interface CustomTool {
  name: string;
  description: string | undefined;
  format: CustomFormat | undefined;
  path: string;
}

export function functionOf({ name, description, format = TEXT_FORMAT, path }: CustomTool): Tool {
  const about = [description ?? '', ruleOf(format)].filter((text) => text !== '').join('\n\n');
  return {
    name,
    ...(about !== '' && { description: about }),
    parameters: {
      type: 'object',
      properties: { [INPUT]: { type: 'string', description: 'All of the input, as plain text.' } },
      required: [INPUT],
      additionalProperties: false,
    },
    custom: { format, ...(description !== undefined && { description }) },
    path,
  };
}

/** No other protocol can bind a model to a grammar, so the model is shown it. */
function ruleOf(format: CustomFormat): string {
  if (format.type === 'text') return '';
  return `'${INPUT}' must match this grammar (${format.syntax}):\n${format.definition}`;
}

/** The text of a custom call as arguments of its function. */
export function argumentsOf(input: string): string {
  return JSON.stringify({ [INPUT]: input });
}

export function customNames(tools: readonly Tool[]): ReadonlySet<string> {
  return new Set(tools.flatMap(({ name, custom }) => (custom === undefined ? [] : [name])));
}
