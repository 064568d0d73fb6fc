// A JSON Schema as this protocol takes it for structured output: objects are closed, and constraints that it refuses are
// written into the description for the model instead. https://platform.claude.com/docs/en/build-with-claude/structured-outputs
import { asList, asRecord, asText, type JsonRecord } from '../../json/json-value.ts';

const REFUSED: ReadonlySet<string> = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'patternProperties',
  'propertyNames',
  'format',
]);
const FORMATS: ReadonlySet<unknown> = new Set([
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'uri',
  'ipv4',
  'ipv6',
  'uuid',
]);
const LISTS: ReadonlySet<string> = new Set(['anyOf', 'allOf', 'prefixItems']);
const MAPS: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions']);

export function writeOutputSchema(schema: JsonRecord): JsonRecord {
  const written: JsonRecord = {};
  const reported: string[] = [];
  for (const [name, value] of Object.entries(schema)) {
    if (name === '$schema' || name === 'additionalProperties') continue;
    if (REFUSED.has(name) && !isTaken(name, value)) reported.push(`${name}: ${JSON.stringify(value)}`);
    // `one of` is not known, and `any of` lets the same answers through.
    else written[name === 'oneOf' ? 'anyOf' : name] = writeValue(name === 'oneOf' ? 'anyOf' : name, value);
  }
  if (reported.length > 0) {
    const description = asText(written['description']);
    written['description'] = `${description === undefined ? '' : `${description}\n\n`}{${reported.join(', ')}}`;
  }
  if (isObject(schema)) written['additionalProperties'] = false;
  return written;
}

function isTaken(name: string, value: unknown): boolean {
  if (name === 'format') return FORMATS.has(value);
  return name === 'minItems' && (value === 0 || value === 1);
}

function writeValue(name: string, value: unknown): unknown {
  if (LISTS.has(name)) return asList(value).map(writeNested);
  if (name === 'items') return writeNested(value);
  const map = MAPS.has(name) ? asRecord(value) : undefined;
  if (map === undefined) return value;
  return Object.fromEntries(Object.entries(map).map(([key, nested]) => [key, writeNested(nested)]));
}

function writeNested(value: unknown): unknown {
  const schema = asRecord(value);
  return schema === undefined ? value : writeOutputSchema(schema);
}

function isObject({ type, properties }: JsonRecord): boolean {
  return type === 'object' || asList(type).includes('object') || (type === undefined && properties !== undefined);
}
