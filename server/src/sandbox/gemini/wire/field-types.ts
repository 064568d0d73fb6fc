// The kinds of fields that the service's messages have, and how its two spellings of a name belong together.

export type ScalarField =
  | { kind: 'string' | 'bytes' | 'bool' | 'struct' | 'value' }
  | { kind: 'integer' | 'decimal'; wireType: string }
  | { kind: 'enum'; name: string; values: readonly string[] };

export type Field =
  | ScalarField
  | { kind: 'message'; name: string; fields: () => Fields; oneof?: readonly string[] }
  | { kind: 'list' | 'map'; of: Field };

export type Fields = Readonly<Record<string, Field>>;

const apiName = 'google.ai.generativelanguage.v1beta';

export const text: Field = { kind: 'string' };
export const bytes: Field = { kind: 'bytes' };
export const flag: Field = { kind: 'bool' };
export const struct: Field = { kind: 'struct' };
export const anyValue: Field = { kind: 'value' };
export const int32: Field = { kind: 'integer', wireType: 'TYPE_INT32' };
export const int64: Field = { kind: 'integer', wireType: 'TYPE_INT64' };
export const float: Field = { kind: 'decimal', wireType: 'TYPE_FLOAT' };
export const double: Field = { kind: 'decimal', wireType: 'TYPE_DOUBLE' };
export const listOf = (of: Field): Field => ({ kind: 'list', of });
export const mapOf = (of: Field): Field => ({ kind: 'map', of });

export function oneOf(name: string, ...values: readonly string[]): Field {
  return { kind: 'enum', name: `${apiName}.${name}`, values };
}

export function message(name: string, fields: () => Fields, oneof: readonly string[] = []): Field {
  return { kind: 'message', name: `${apiName}.${name}`, fields, oneof };
}

export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
