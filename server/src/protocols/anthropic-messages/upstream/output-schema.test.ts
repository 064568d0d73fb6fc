import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeOutputSchema } from './output-schema.ts';

test('objects are closed at every depth', () => {
  const open = { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: true };
  const closed = { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false };
  assert.deepEqual(
    writeOutputSchema({
      $schema: 'x',
      type: 'object',
      properties: { list: { type: 'array', items: open }, either: { oneOf: [open, { type: 'null' }] } },
      $defs: { d: open },
      required: ['list'],
    }),
    {
      type: 'object',
      properties: { list: { type: 'array', items: closed }, either: { anyOf: [closed, { type: 'null' }] } },
      $defs: { d: closed },
      required: ['list'],
      additionalProperties: false,
    },
  );
});

test('what is refused is written in the description, and a property of that name is none of it', () => {
  assert.deepEqual(writeOutputSchema({ type: 'string', description: 'A word.', maxLength: 5, format: 'uuid' }), {
    type: 'string',
    description: 'A word.\n\n{maxLength: 5}',
    format: 'uuid',
  });
  assert.deepEqual(writeOutputSchema({ type: 'array', minItems: 1, maxItems: 3, items: { enum: ['a'] } }), {
    type: 'array',
    minItems: 1,
    items: { enum: ['a'] },
    description: '{maxItems: 3}',
  });
  const named = { type: 'object', properties: { minimum: { type: 'number' } }, additionalProperties: false };
  assert.deepEqual(writeOutputSchema(named), named);
});
