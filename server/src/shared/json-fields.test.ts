import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { arrayIsEmpty, arrayLength, readField, scanJsonObject } from './json-fields.ts';
import type { JsonObject } from './json-fields.ts';

const scan = (text: string): JsonObject => scanJsonObject(Buffer.from(text));

test('the fields are those of JSON.parse, with the same values and kinds', () => {
  const objects = fc.dictionary(
    fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('model', 'models', '__proto__', 'mod\\el', 'é', '')),
    fc.jsonValue({ stringUnit: 'binary' }),
  );
  fc.assert(
    fc.property(objects, fc.constantFrom(0, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const object = scan(text);
      const parsed = JSON.parse(text) as Record<string, unknown>;
      assert.deepEqual([...object.fields.keys()].toSorted(), Object.keys(parsed).toSorted());
      for (const [name, field] of object.fields) {
        const expected = parsed[name];
        const kind = expected === null ? 'null' : Array.isArray(expected) ? 'array' : typeof expected;
        assert.equal(field.kind, kind);
        assert.deepEqual(readField(object, name), expected);
      }
      assert.equal(object.duplicates.size, 0);
    }),
  );
});

test('a field tells where its key and its value stand', () => {
  const text = ' { "a" : 1 , "b":[ ] } ';
  const object = scan(text);
  assert.deepEqual(
    object.entries.map(({ name, entryStart, valueEnd }) => [name, text.slice(entryStart, valueEnd)]),
    [
      ['a', '"a" : 1'],
      ['b', '"b":[ ]'],
    ],
  );
  assert.equal(object.fields.get('b')?.valueStart, text.indexOf('['));
  assert.equal(readField(object, 'c'), undefined);
});

test('names given twice are found however they are spelled, and the last value counts', () => {
  const object = scan('{"model":"a","x":1,"mod\\u0065l":"b","\\u006dodel":"c","nested":{"x":1,"x":2}}');
  assert.deepEqual([...object.duplicates], ['model']);
  assert.equal(readField(object, 'model'), 'c');
  assert.equal(object.fields.size, 3);
  assert.equal(object.entries.length, 5);
});

test('any spelling of any name is seen as a duplicate of its plain form', () => {
  const escapeAll = (name: string): string =>
    Array.from(
      { length: name.length },
      (_, index) => `\\u${name.charCodeAt(index).toString(16).padStart(4, '0')}`,
    ).join('');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      const object = scan(`{${JSON.stringify(name)}:1,"${escapeAll(name)}":2}`);
      assert.deepEqual([...object.duplicates], [name]);
      assert.equal(readField(object, name), 2);
    }),
  );
});

test('an empty array is distinguished from one with something in it', () => {
  const object = scan('{"a":[],"b":[ \\n ],"c":[0],"d":[ [] ],"e":{}}'.replaceAll('\\n', '\n'));
  const empty = [...object.fields].filter(([, field]) => arrayIsEmpty(object, field)).map(([name]) => name);
  assert.deepEqual(empty, ['a', 'b']);
});

test('values of an array are counted without being built', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 20 }), fc.boolean(), (values, spaced) => {
      const text = JSON.stringify({ data: values, other: [1, 2] }, null, spaced ? 2 : 0);
      assert.equal(arrayLength(scan(text), 'data'), values.length);
    }),
  );
  const object = scan('{"text":"[1,2]","object":{"a":[1]},"none":null}');
  assert.deepEqual(
    ['text', 'object', 'none', 'absent'].map((name) => arrayLength(object, name)),
    [0, 0, 0, 0],
  );
});

test('the number of fields is bounded, since each costs far more than its bytes', () => {
  const many = (count: number): string => `{${Array.from({ length: count }, (_, index) => `"${index}":0`).join()}}`;
  assert.equal(scan(many(4096)).fields.size, 4096);
  assert.throws(() => scan(many(4097)), { name: 'JsonSyntaxError', message: 'more than 4096 fields' });
});

test('texts that begin like a marked signature are noted, at any depth, and keys and other texts are not', () => {
  const noted = (text: string): boolean => scanJsonObject(Buffer.from(text)).noted;
  assert.ok(noted('{"a":[{"b":"tg1.openai.xyz"}]}'));
  assert.ok(noted('{"a":"tg1s.x"}'));
  assert.ok(noted('{"a":{"b":"dGcxLmE="}}'));
  assert.ok(!noted('{"tg1.key":"text","b":"a tg1. inside","c":"tg2.","d":""}'));
  assert.ok(!noted('{"a":"tg1"}'));
});
