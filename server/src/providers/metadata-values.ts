// Values that callers put into `metadata`: typed leniently, since numbers and booleans often come as text, and refused by
// name where they are plainly something else (contract 5).
import { invalidRequest } from '../errors/gateway-error.ts';

export type Metadata = Readonly<Record<string, unknown>>;

/** null counts as absent (contract 5). */
export function metadataValue(metadata: Metadata, name: string): unknown {
  return Object.hasOwn(metadata, name) ? (metadata[name] ?? undefined) : undefined;
}

const DECIMAL = /^[+-]?\d+(?:\.\d+)?$/;

/** A number, or one written as text; undefined when it is neither. */
export function numberIn(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && DECIMAL.test(value.trim()) ? Number(value) : undefined;
}

export function readNumber(value: unknown, field: string): number {
  const number = numberIn(value);
  if (number === undefined) throw invalidRequest(`'${field}' must be a number.`, field);
  return number;
}

export function readInteger(value: unknown, field: string): number {
  const number = numberIn(value);
  if (!Number.isSafeInteger(number)) throw invalidRequest(`'${field}' must be a whole number.`, field);
  return number as number;
}

export function readFlag(value: unknown, field: string): boolean {
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value.trim().toLowerCase() : '';
  if (text === 'true' || text === 'false') return text === 'true';
  throw invalidRequest(`'${field}' must be true or false.`, field);
}

export function readText(value: unknown, field: string): string {
  if (typeof value === 'string') return value;
  throw invalidRequest(`'${field}' must be a string.`, field);
}

export function readArray(value: unknown, field: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw invalidRequest(`'${field}' must be an array.`, field);
}

export function readObject(value: unknown, field: string): Metadata {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Metadata;
  throw invalidRequest(`'${field}' must be an object.`, field);
}
