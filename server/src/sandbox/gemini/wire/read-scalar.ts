// Single values as protocol buffers read them from JSON: numbers also as text, enums by name or number, bytes in base64.
import { isObject } from '../../fields/refuse.ts';
import type { ScalarField } from './field-types.ts';

export type ReadScalar = { isFit: true; value: unknown } | { isFit: false; expected: string };

export function readScalar(value: unknown, field: ScalarField): ReadScalar {
  switch (field.kind) {
    case 'string':
      return typeof value === 'string' ? fit(value) : mismatch('TYPE_STRING');
    case 'bool':
      return typeof value === 'boolean' ? fit(value) : mismatch('TYPE_BOOL');
    case 'bytes':
      return typeof value === 'string' && isBase64(value) ? fit(value) : mismatch('TYPE_BYTES');
    case 'struct':
      return isObject(value) ? fit(value) : mismatch('type.googleapis.com/google.protobuf.Struct');
    case 'value':
      return fit(value);
    case 'enum':
      return readEnum(value, field);
    default:
      return readNumber(value, field);
  }
}

function readNumber(value: unknown, { kind, wireType }: Extract<ScalarField, { wireType: string }>): ReadScalar {
  const isWritten =
    typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value));
  const read = Number(value);
  const isRight = kind === 'decimal' ? Number.isFinite(read) : Number.isInteger(read);
  return isWritten && isRight ? fit(read) : mismatch(wireType);
}

function readEnum(value: unknown, { name, values }: Extract<ScalarField, { kind: 'enum' }>): ReadScalar {
  const found = typeof value === 'number' ? values[value] : values.find((one) => one === String(value).toUpperCase());
  return found === undefined ? mismatch(`type.googleapis.com/${name}`) : fit(found);
}

/** Both alphabets, with or without padding. */
function isBase64(text: string): boolean {
  return /^[\w+/-]*={0,2}$/.test(text) && text.replace(/=+$/, '').length % 4 !== 1;
}

function fit(value: unknown): ReadScalar {
  return { isFit: true, value };
}

function mismatch(expected: string): ReadScalar {
  return { isFit: false, expected };
}
