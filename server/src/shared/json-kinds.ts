// Kinds of JSON values as bits, by which a scan tells what a list holds without looking twice.
export const KIND_BITS = { string: 1, object: 2, array: 4, number: 8, boolean: 16, null: 32 } as const;

/** By the first byte of a value. */
export const BIT_OF_BYTE = new Uint8Array(256);
for (const [first, kind] of [
  ['"', 'string'],
  ['{', 'object'],
  ['[', 'array'],
  ['-0123456789', 'number'],
  ['tf', 'boolean'],
  ['n', 'null'],
] as const)
  for (const byte of Buffer.from(first)) BIT_OF_BYTE[byte] = KIND_BITS[kind];
