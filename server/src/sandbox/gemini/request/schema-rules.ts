// What the service asks of a schema beyond its fields. https://ai.google.dev/api/caching#Schema
import { isObject, type WireObject } from '../../fields/refuse.ts';

const stringFormats = ['enum', 'date-time'];

/** Every broken rule as one line. */
export function findBrokenRules(schema: WireObject, at: string): string[] {
  const { type, properties, required, items, enum: values, anyOf, format } = schema;
  const broken: string[] = [];
  const names = isObject(properties) ? Object.entries(properties) : [];
  if (type === 'OBJECT' && names.length === 0) broken.push(`* ${at}.properties: should be non-empty for OBJECT type`);
  if (type === 'ARRAY' && items === undefined) broken.push(`* ${at}.items: missing field.`);
  if (Array.isArray(values) && values.length > 0 && type !== 'STRING') {
    broken.push(`* ${at}.enum: only allowed for STRING type`);
  }
  if (type === 'STRING' && typeof format === 'string' && !stringFormats.includes(format)) {
    broken.push(`* ${at}.format: only 'enum' and 'date-time' are supported for STRING type`);
  }
  for (const [index, name] of ((required ?? []) as string[]).entries()) {
    if (!names.some(([known]) => known === name)) broken.push(`* ${at}.required[${index}]: property is not defined`);
  }
  for (const [name, inner] of names) {
    if (isObject(inner)) broken.push(...findBrokenRules(inner, `${at}.properties[${name}]`));
  }
  if (isObject(items)) broken.push(...findBrokenRules(items, `${at}.items`));
  for (const [index, inner] of ((anyOf ?? []) as WireObject[]).entries()) {
    broken.push(...findBrokenRules(inner, `${at}.any_of[${index}]`));
  }
  return broken;
}

/** The service's types in the words of JSON Schema, so that one sampler serves both. */
export function toJsonSchema(schema: WireObject): WireObject {
  const { type, properties, items, anyOf, ...rest } = schema;
  return {
    ...rest,
    ...(typeof type === 'string' ? { type: type.toLowerCase() } : {}),
    ...(isObject(properties)
      ? { properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, convert(one)])) }
      : {}),
    ...(items === undefined ? {} : { items: convert(items) }),
    ...(Array.isArray(anyOf) ? { anyOf: anyOf.map(convert) } : {}),
  };
}

function convert(schema: unknown): unknown {
  return isObject(schema) ? toJsonSchema(schema) : schema;
}
