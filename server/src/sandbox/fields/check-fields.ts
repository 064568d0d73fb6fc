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

export function checkOneOf<T extends string>(value: unknown, field: string, allowed: readonly T[]): T | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') refuse(field, `Invalid type for '${field}': expected a string.`);
  const found = allowed.find((one) => one === value);
  if (found !== undefined) return found;
  const supported = `Supported values are: '${allowed.join("', '")}'.`;
  refuse(field, `Invalid value for '${field}': '${value.slice(0, 100)}'. ${supported}`, 'invalid_value');
}
