// The vendor's own schemas (a part of OpenAPI, types in capitals) as JSON Schema. https://ai.google.dev/api/caching#Schema
import { asList, asRecord, asText, type JsonRecord } from '../../json/json-value.ts';
import { camelCase } from '../spelling.ts';

/** Whole numbers of 64 bits, which this wire writes as text. */
const COUNTS: ReadonlySet<string> = new Set([
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'minProperties',
  'maxProperties',
]);

export function readSchema(wire: JsonRecord): JsonRecord {
  const schema: JsonRecord = {};
  for (const [name, value] of Object.entries(wire)) {
    if (value !== null && value !== undefined) readKeyword(schema, camelCase(name), value);
  }
  orderProperties(schema, asList(wire['propertyOrdering'] ?? wire['property_ordering']));
  return wire['nullable'] === true ? orNull(schema) : schema;
}

function readKeyword(schema: JsonRecord, name: string, value: unknown): void {
  switch (name) {
    case 'type': {
      const type = asText(value)?.toLowerCase();
      if (type !== 'type_unspecified') schema[name] = type ?? value;
      return;
    }
    case 'properties':
      schema[name] = Object.fromEntries(
        Object.entries(asRecord(value) ?? {}).map(([property, inner]) => [property, readInner(inner)]),
      );
      return;
    case 'items':
      schema[name] = readInner(value);
      return;
    case 'anyOf':
      schema[name] = asList(value).map(readInner);
      return;
    case 'example':
      schema['examples'] = [value];
      return;
    case 'nullable':
    case 'propertyOrdering':
      return; // written in another way
    case 'format':
      if (value !== 'enum') schema[name] = value;
      return;
    default:
      schema[name] = COUNTS.has(name) && typeof value === 'string' ? Number(value) : value;
  }
}

function readInner(value: unknown): unknown {
  const inner = asRecord(value);
  return inner === undefined ? value : readSchema(inner);
}

/** Models write properties in the order in which they stand. */
function orderProperties(schema: JsonRecord, order: readonly unknown[]): void {
  const properties = asRecord(schema['properties']);
  if (properties === undefined || order.length === 0) return;
  const first = order.filter((name): name is string => typeof name === 'string' && Object.hasOwn(properties, name));
  const names = new Set([...first, ...Object.keys(properties)]);
  schema['properties'] = Object.fromEntries([...names].map((name) => [name, properties[name]]));
}

function orNull(schema: JsonRecord): JsonRecord {
  const { type, enum: values } = schema;
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  return { ...schema, type: [type, 'null'], ...(Array.isArray(values) && { enum: [...values, null] }) };
}
