// Checks of single fields, worded as the real services word them. Null stands for absent everywhere.
import { isObject, refuse, type WireObject } from './refuse.ts';

export type NumberRule = { least: number; most: number; whole?: boolean };

export function checkBody(body: unknown): WireObject {
  if (!isObject(body)) refuse('body', 'The body of the request must be a JSON object.');
  return body;
}

export function checkModelName(model: unknown): string {
  if (model === undefined || model === null || model === '') {
    refuse('model', 'You must provide a model parameter.', 'missing_required_parameter');
  }
  if (typeof model !== 'string') refuse('model', "Invalid type for 'model': expected a string.");
  return model;
}

export function refuseMissing(field: string): never {
  refuse(field, `Missing required parameter: '${field}'.`, 'missing_required_parameter');
}

export function checkNumber(value: unknown, field: string, { least, most, whole }: NumberRule): number | undefined {
  if (value === undefined || value === null) return undefined;
  const expected = whole ? 'an integer' : 'a number';
  if (typeof value !== 'number' || (whole && !Number.isInteger(value))) {
    refuse(field, `Invalid type for '${field}': expected ${expected}.`);
  }
  if (value < least) {
    const message = `Invalid '${field}': below minimum value. Expected a value >= ${least}, but got ${value} instead.`;
    refuse(field, message, whole ? 'integer_below_min_value' : 'decimal_below_min_value');
  }
  if (value > most) {
    const message = `Invalid '${field}': above maximum value. Expected a value <= ${most}, but got ${value} instead.`;
    refuse(field, message, whole ? 'integer_above_max_value' : 'decimal_above_max_value');
  }
  return value;
}

export function checkBoolean(value: unknown, field: string): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value !== 'boolean') refuse(field, `Invalid type for '${field}': expected a boolean.`);
  return value;
}

export function checkText(value: unknown, field: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') refuse(field, `Invalid type for '${field}': expected a string.`);
  return value;
}

const mostKeys = 16;
const longestKey = 64;
const longestValue = 512;

/** `metadata`: up to 16 short texts by name. */
export function checkMetadata(metadata: unknown): void {
  if (metadata === undefined || metadata === null) return;
  if (!isObject(metadata)) refuse('metadata', "Invalid type for 'metadata': expected an object.");
  const entries = Object.entries(metadata);
  if (entries.length > mostKeys) {
    const message = `Invalid 'metadata': too many properties. Expected an object with at most ${mostKeys} properties, but got an object with ${entries.length} properties instead.`;
    refuse('metadata', message, 'object_above_max_properties');
  }
  for (const [name, value] of entries) {
    const field = `metadata.${name.slice(0, longestKey)}`;
    checkLength(name, 'metadata', longestKey);
    if (typeof value !== 'string') refuse(field, `Invalid type for '${field}': expected a string.`);
    checkLength(value, field, longestValue);
  }
}

export function checkLength(value: string, field: string, most: number): void {
  if (value.length <= most) return;
  const got = `but got a string with length ${value.length} instead.`;
  const message = `Invalid '${field}': string too long. Expected a string with maximum length ${most}, ${got}`;
  refuse(field, message, 'string_above_max_length');
}

const namePattern = /^[a-zA-Z0-9_-]+$/;
const longestName = 64;

/** Of a function or a schema. */
export function checkName(name: string, field: string): void {
  checkLength(name, field, longestName);
  if (namePattern.test(name)) return;
  const pattern = `Expected a string that matches the pattern '${namePattern.source}'.`;
  refuse(field, `Invalid '${field}': string does not match pattern. ${pattern}`, 'invalid_value');
}

export function checkOneOf<T extends string>(value: unknown, field: string, allowed: readonly T[]): T | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') refuse(field, `Invalid type for '${field}': expected a string.`);
  const found = allowed.find((one) => one === value);
  if (found !== undefined) return found;
  const supported = `Supported values are: '${allowed.join("', '")}'.`;
  refuse(field, `Invalid value for '${field}': '${value.slice(0, 100)}'. ${supported}`, 'invalid_value');
}
