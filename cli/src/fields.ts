// Options of a command from the schema of what it sends: `--account-id x` for the field account_id, read as the schema says.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';
import { timeFilter } from '#contract/values/times.ts';
import { exampleOf, helpOf } from './field-help.ts';

interface Described {
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  anyOf?: Described[];
  oneOf?: Described[];
  $ref?: string;
  $defs?: Record<string, Described>;
}

/** The parser takes null for an option without a value. */
const NULL = Symbol('null');

/** Options by the name that the parser gives them. */
export type Fields = ReadonlyMap<string, string>;

export function addFields(command: Command, schema: z.ZodType, { leaveOut = [] as string[] } = {}): Fields {
  const fields = new Map<string, string>();
  const schemaName = schema.meta()?.id;
  for (const [name, inner] of Object.entries((schema as z.ZodObject).shape)) {
    if (leaveOut.includes(name)) continue;
    const one = inner as z.ZodType;
    const parts = partsOf(z.toJSONSchema(one, { io: 'input', unrepresentable: 'any' }));
    const isRequired = !one.safeParse(undefined).success;
    const values = choices(parts);
    const description = parts.find((part) => part.description !== undefined)?.description;
    const words = [
      description ?? (values === undefined ? helpOf(name) : undefined),
      values,
      isRequired && '(required)',
    ];
    const option = new Option(`--${name.replaceAll('_', '-')} <value>`, words.filter(Boolean).join(' '));
    const reader = { name, types: typesOf(parts), isNullable: one.safeParse(null).success, schemaName };
    option.argParser((text: string) => readValue(text, reader));
    command.addOption(option.makeOptionMandatory(isRequired));
    fields.set(option.attributeName(), name);
  }
  return fields;
}

export function readFields(fields: Fields, options: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    [...fields]
      .filter(([option]) => options[option] !== undefined)
      .map(([option, name]) => [name, options[option] === NULL ? null : options[option]]),
  );
}

/** What a value may be: a schema with a name is behind a reference. */
function partsOf(schema: Described, defs = schema.$defs ?? {}): Described[] {
  const name = schema.$ref?.split('/').at(-1);
  const inner = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(name === undefined ? [] : [defs[name] ?? {}])];
  return [schema, ...inner.flatMap((one) => partsOf(one, defs))];
}

function typesOf(parts: readonly Described[]): ReadonlySet<string> {
  return new Set(parts.flatMap(({ type }) => type ?? []));
}

function choices(parts: readonly Described[]): string | undefined {
  const values = parts.flatMap((one) => one.enum ?? []);
  return values.length === 0 ? undefined : `(${values.join(', ')})`;
}

interface Reader {
  name: string;
  types: ReadonlySet<string>;
  isNullable: boolean;
  schemaName: string | undefined;
}

const TIME = /(?:_at|^created)$/;

function readValue(text: string, { name, types, isNullable, schemaName }: Reader): unknown {
  if (text === 'null' && isNullable) return NULL;
  if (types.has('integer') && TIME.test(name)) return readTime(text);
  if (types.has('string')) return text;
  if (types.has('array') && !text.startsWith('[')) return text === '' ? [] : text.split(',').map((item) => item.trim());
  try {
    return JSON.parse(text) as unknown;
  } catch {
    if (types.has('object')) throw new InvalidArgumentError(`It must be JSON${exampleOf(name, schemaName)}.`);
    const needed = [...types].filter((type) => type !== 'null').map((type) => TYPE_NAMES[type] ?? type);
    throw new InvalidArgumentError(`It must be ${needed.join(' or ')}.`);
  }
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
};

function readTime(text: string): number {
  const { data } = timeFilter.safeParse(text);
  if (data !== undefined) return data;
  throw new InvalidArgumentError('It must be a time such as 2027-01-01T00:00:00Z, or Unix seconds such as 1798761600.');
}
