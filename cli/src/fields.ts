// Options of a command from the schema of what it sends: `--account-id x` for the field account_id, read as the schema says.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';

interface Described {
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  anyOf?: Described[];
  default?: unknown;
}

/** The parser takes null for an option without a value. */
const NULL = Symbol('null');

/** Options by the name that the parser gives them. */
export type Fields = ReadonlyMap<string, string>;

export function addFields(command: Command, schema: z.ZodType, { leaveOut = [] as string[] } = {}): Fields {
  const fields = new Map<string, string>();
  for (const [name, inner] of Object.entries((schema as z.ZodObject).shape)) {
    if (leaveOut.includes(name)) continue;
    const field = describe(inner as z.ZodType);
    const isRequired = !(inner as z.ZodType).safeParse(undefined).success;
    const words = [field.description, choices(field), isRequired ? '(required)' : undefined];
    const option = new Option(`--${name.replaceAll('_', '-')} <value>`, words.filter(Boolean).join(' '));
    option.argParser((text: string) => readValue(text, field, (inner as z.ZodType).safeParse(null).success));
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

/** Of a schema with a name the description is behind a reference. */
function describe(schema: z.ZodType): Described {
  const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Described & {
    $ref?: string;
    $defs?: Record<string, Described>;
  };
  const name = described.$ref?.split('/').at(-1);
  return name === undefined ? described : { ...described.$defs?.[name], ...described };
}

function choices(field: Described): string | undefined {
  const values = [field, ...(field.anyOf ?? [])].flatMap((one) => one.enum ?? []);
  return values.length === 0 ? undefined : `(${values.join(', ')})`;
}

function readValue(text: string, field: Described, isNullable: boolean): unknown {
  const types = new Set([field, ...(field.anyOf ?? [])].flatMap(({ type }) => type ?? []));
  if (text === 'null' && isNullable) return NULL;
  if (types.has('string')) return text;
  if (types.has('array') && !text.startsWith('[')) return text === '' ? [] : text.split(',').map((item) => item.trim());
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new InvalidArgumentError(types.has('object') ? 'It must be JSON.' : `It must be ${[...types].join(' or ')}.`);
  }
}
