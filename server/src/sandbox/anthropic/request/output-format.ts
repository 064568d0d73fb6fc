// Structured output: the schema that the answer must fit, itself checked for what the real service can enforce.
// https://docs.claude.com/en/docs/build-with-claude/structured-outputs
import { isObject, type WireObject } from '../../fields/refuse.ts';
import { dictionary, nullable, oneOf, refuseAt, shape, tagged } from '../checks.ts';

const format = nullable(tagged({ json_schema: shape({ schema: dictionary }) }));

export const outputConfig = shape(
  {},
  { effort: nullable(oneOf('low', 'medium', 'high', 'xhigh', 'max')), format, task_budget: nullable(dictionary) },
);
export const outputFormat = format;

/** Keywords that the service refuses rather than overlooks, by the type that they stand with. */
const unsupported: Readonly<Record<string, readonly string[]>> = {
  integer: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  string: ['minLength', 'maxLength'],
  array: ['maxItems', 'uniqueItems'],
};
const depthLimit = 64;

/** Both spellings are in use: the earlier `output_format`, and `output_config.format`. */
export function readAnswerSchema(body: WireObject): WireObject | undefined {
  const config = isObject(body['output_config']) ? body['output_config']['format'] : undefined;
  const chosen = config ?? body['output_format'];
  if (!isObject(chosen) || !isObject(chosen['schema'])) return undefined;
  checkSchema(
    chosen['schema'],
    config === undefined || config === null ? 'output_format.schema' : 'output_config.format.schema',
    0,
  );
  return chosen['schema'];
}

function checkSchema(schema: unknown, at: string, depth: number): void {
  if (!isObject(schema) || depth > depthLimit) return;
  const { type } = schema;
  if (type === 'object' && schema['additionalProperties'] !== false) {
    refuseAt(at, "For 'object' type, 'additionalProperties' must be explicitly set to false");
  }
  if (typeof type === 'string') {
    const found = (unsupported[type] ?? []).filter((name) => name in schema);
    if (found.length > 0) refuseAt(at, `For '${type}' type, properties ${found.join(', ')} are not supported`);
  }
  if (type === 'array' && schema['minItems'] !== undefined && ![0, 1].includes(Number(schema['minItems']))) {
    refuseAt(at, "For 'array' type, 'minItems' values other than 0 or 1 are not supported");
  }
  for (const inner of innerSchemas(schema)) checkSchema(inner, at, depth + 1);
}

function innerSchemas(schema: WireObject): unknown[] {
  const named = ['properties', '$defs', 'definitions'].flatMap((name) =>
    isObject(schema[name]) ? Object.values(schema[name]) : [],
  );
  const listed = ['anyOf', 'allOf', 'oneOf'].flatMap((name): unknown[] =>
    Array.isArray(schema[name]) ? schema[name] : [],
  );
  return [...named, ...listed, schema['items']];
}
