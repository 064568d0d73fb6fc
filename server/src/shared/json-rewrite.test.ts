import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { scanJsonObject } from './json-fields.ts';
import { rewriteJsonObject } from './json-rewrite.ts';
import type { JsonChanges } from './json-rewrite.ts';

const rewrite = (text: string, changes: JsonChanges): string =>
  rewriteJsonObject(scanJsonObject(Buffer.from(text)), changes).toString();

test('the same buffer comes back when nothing changes', () => {
  const bytes = Buffer.from('{"a": 1, "b": "x"}');
  const object = scanJsonObject(bytes);
  assert.equal(rewriteJsonObject(object, {}), bytes);
  assert.equal(rewriteJsonObject(object, { set: {}, remove: ['c'] }), bytes);
  assert.equal(rewriteJsonObject(object, { set: { b: '"x"' } }), bytes);
});

test('values are replaced in place, every occurrence of them, and missing fields are added at the end', () => {
  assert.equal(rewrite('{ "a" : 1 , "b" : 2 }\n', { set: { a: '"é"' } }), '{ "a" : "é" , "b" : 2 }\n');
  assert.equal(rewrite('{"a":1,"\\u0061":2}', { set: { a: '3' } }), '{"a":3,"\\u0061":3}');
  assert.equal(rewrite('{"a":1 }', { set: { b: '2', c: '3' } }), '{"a":1,"b":2,"c":3 }');
  assert.equal(rewrite(' { } ', { set: { b: '2', c: '3' } }), ' {"b":2,"c":3 } ');
});

test('fields are removed with one comma, wherever they stand', () => {
  const text = '{"a":1, "b":2, "c":3}';
  assert.equal(rewrite(text, { remove: ['a'] }), '{"b":2, "c":3}');
  assert.equal(rewrite(text, { remove: ['b'] }), '{"a":1, "c":3}');
  assert.equal(rewrite(text, { remove: ['c'] }), '{"a":1, "b":2}');
  assert.equal(rewrite(text, { remove: ['b', 'c'] }), '{"a":1}');
  assert.equal(rewrite(text, { remove: ['a', 'c'] }), '{"b":2}');
  assert.equal(rewrite(text, { remove: ['a', 'b', 'c'] }), '{}');
  assert.equal(rewrite(text, { remove: ['a', 'b', 'c'], set: { d: '4' } }), '{"d":4}');
  assert.equal(rewrite('{"a":1,"b":2,"a":3}', { remove: ['a'] }), '{"b":2}');
  assert.equal(rewrite(text, { remove: ['b'], set: { b: '9', c: '4' } }), '{"a":1, "c":4}');
});

const name = fc.constantFrom('a', 'b', 'c', 'd', '__proto__', 'é"\\');
const space = fc.constantFrom('', ' ', '\n\t');

test('a rewrite is the same change made on the parsed object, and keeps every other entry to the byte', () => {
  const entry = fc.record({ key: name, value: fc.jsonValue(), before: space, after: space });
  fc.assert(
    fc.property(
      fc.array(entry, { maxLength: 6 }),
      fc.array(fc.tuple(name, fc.jsonValue()), { maxLength: 3 }),
      fc.array(name, { maxLength: 3 }),
      (entries, changed, remove) => {
        const write = (key: string, value: string): string => `${JSON.stringify(key)}: ${value}`;
        const texts = entries.map((one) => one.before + write(one.key, JSON.stringify(one.value)) + one.after);
        const set = Object.fromEntries(changed.map(([key, value]) => [key, JSON.stringify(value)]));
        const result = rewrite(`{${texts.join()}}`, { set, remove });

        const expected = new Map<string, string>(entries.map((one) => [one.key, JSON.stringify(one.value)]));
        for (const [key, value] of Object.entries(set)) expected.set(key, value);
        for (const key of remove) expected.delete(key);
        const parsed = JSON.parse(result) as Record<string, unknown>;
        assert.deepEqual(
          new Map(Object.entries(parsed)),
          new Map([...expected].map(([key, value]) => [key, JSON.parse(value) as unknown])),
        );
        const untouched = entries.filter(({ key }) => !remove.includes(key) && !Object.hasOwn(set, key));
        for (const { key, value } of untouched) assert.ok(result.includes(write(key, JSON.stringify(value))));
      },
    ),
    { numRuns: 1000 },
  );
});
