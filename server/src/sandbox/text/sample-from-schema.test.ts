import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleFromSchema } from './sample-from-schema.ts';

test('every property gets a value of its type, within its limits', () => {
  const schema = {
    type: 'object',
    properties: {
      city_name: { type: 'string' },
      code: { type: 'string', minLength: 20, maxLength: 20 },
      unit: { enum: ['C', 'F'] },
      days: { type: 'integer', minimum: 3, maximum: 9 },
      ratio: { type: 'number', exclusiveMinimum: 2 },
      note: { type: ['null', 'string'] },
      when: { type: 'string', format: 'date' },
      tags: { type: 'array', items: { type: 'boolean' }, minItems: 2 },
      kind: { const: 'x' },
    },
  };
  assert.deepEqual(sampleFromSchema(schema), {
    city_name: 'sample city name',
    code: 'sample code.........',
    unit: 'C',
    days: 3,
    ratio: 2.5,
    note: 'sample note',
    when: '2025-01-31',
    tags: [true, true],
    kind: 'x',
  });
});

test('references, choices and joined schemas are followed', () => {
  const schema = {
    $defs: { point: { type: 'object', properties: { x: { type: 'integer' } } } },
    allOf: [{ properties: { at: { $ref: '#/$defs/point' } } }, { properties: { b: { anyOf: [{ type: 'boolean' }] } } }],
  };
  assert.deepEqual(sampleFromSchema(schema), { at: { x: 1 }, b: true });
});

test('a schema that contains itself, or asks for very much, ends soon', () => {
  const names = Array.from({ length: 10 }, (_, index) => `p${index}`);
  const properties = Object.fromEntries(names.map((name) => [name, { $ref: '#' }]));
  const grown = JSON.stringify(sampleFromSchema({ type: 'object', properties, required: names }));
  assert.ok(grown.length < 100_000);
  const loop = sampleFromSchema({ $ref: '#' });
  assert.ok(JSON.stringify(loop).length < 1000);
  const many = sampleFromSchema({ type: 'array', minItems: 1e9, items: { type: 'string', minLength: 1e9 } });
  assert.ok(JSON.stringify(many).length < 1_000_000);
});
