import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { arrayElements, JsonSyntaxError, partOf, scanInSlices, scanJsonObject } from './json-fields.ts';
import { rewriteJsonObject } from './json-rewrite.ts';
import { JsonScanner } from './json-scanner.ts';
import { ScanQueue } from './scan-queue.ts';

const slot = (): Promise<void> => Promise.resolve();
/** Short bodies are not worth remembering: these are padded. */
const padding = 'p'.repeat(20_000);

async function outcomeInSlices(bytes: Buffer, sliceBytes: number, maxValues?: number): Promise<unknown> {
  let queue = 0;
  const counted = async (): Promise<void> => void queue++;
  const options = { sliceBytes, slot: counted, ...(maxValues !== undefined && { maxValues }) };
  await scanInSlices(bytes, options);
  assert.ok(queue >= 1);
  return outcome(bytes);
}

function outcome(bytes: Buffer, options = {}): unknown {
  try {
    const { bytes: _, ...rest } = scanJsonObject(bytes, options);
    return rest;
  } catch (error) {
    assert.ok(error instanceof JsonSyntaxError);
    return [error.message, error.position];
  }
}

test('a scan in slices of any size finds what a scan in one piece finds, mistakes included (promise B-11)', async () => {
  const text = fc
    .dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ stringUnit: 'binary' }))
    .map((value) => JSON.stringify({ padding, ...value, end: 'e\n"\\'.repeat(9) }));
  const property = fc.asyncProperty(
    text,
    fc.integer({ min: 1, max: 300 }),
    fc.nat(),
    fc.boolean(),
    async (json, slice, at, isBroken) => {
      const bytes = Buffer.from(json);
      if (isBroken) bytes[padding.length + 20 + (at % (bytes.length - padding.length - 20))] = 0x7d;
      const again = Buffer.from(bytes);
      assert.deepEqual(await outcomeInSlices(bytes, slice), outcome(again));
    },
  );
  await fc.assert(property, { numRuns: 200 });
});

test('no slice is much longer than it may be, whatever the body holds', async () => {
  const bodies = [
    `{"a":"${'\\n'.repeat(50_000)}"}`,
    `{"a":"${'x'.repeat(100_000)}"}`,
    `{"a":[${'[],'.repeat(30_000)}1]}`,
    `{"a":[${'1,'.repeat(50_000)}1]}`,
  ];
  for (const text of bodies) {
    const bytes = Buffer.from(text);
    let queue = 0;
    await scanInSlices(bytes, { sliceBytes: 1_000, slot: async () => void queue++ });
    assert.ok(queue >= bytes.length / 1_100, `${queue} turns for ${bytes.length} bytes`);
  }
});

test('names, numbers and runs of blanks are bounded: they are walked in one piece', () => {
  const long = 70_000;
  const refusal = (text: string): unknown => outcome(Buffer.from(text));
  assert.match(String(refusal(`{"${'n'.repeat(long)}":1}`)), /^a name of more than 65536 bytes/);
  assert.match(String(refusal(`{"a":{"${'n'.repeat(long)}":1}}`)), /^a name of more than 65536 bytes/);
  assert.match(String(refusal(`{"a":${'1'.repeat(long)}}`)), /^a number of more than 65536 bytes/);
  assert.match(String(refusal(`{"a":1.${'1'.repeat(long)}}`)), /^a number of more than 65536 bytes/);
  assert.match(String(refusal(`{"a":1${' '.repeat(long)}}`)), /^blanks of more than 65536 bytes/);
  assert.match(String(refusal(`${' '.repeat(long)}{"a":1}`)), /^blanks of more than 65536 bytes/);
  for (const good of [`{"${'n'.repeat(60_000)}":1}`, `{"a":${'1'.repeat(60_000)}}`, `{"a":1${' '.repeat(60_000)}}`])
    assert.ok(!Array.isArray(refusal(good)));
});

test('values are bounded where that is asked for, ten numbers counting as one (promise B-06)', () => {
  const of = (count: number, item: string): Buffer => Buffer.from(`{"a":[${Array(count).fill(item).join(',')}]}`);
  const options = { maxValues: 100 };
  for (const item of ['"x"', '[]', '{}']) {
    assert.ok(!Array.isArray(outcome(of(99, item), options)), item); // and the list itself
    assert.match(String(outcome(of(100, item), options)), /^more than 100 values/, item);
  }
  assert.ok(!Array.isArray(outcome(of(990, '1'), options)));
  assert.match(String(outcome(of(991, 'true'), options)), /^more than 100 values/);
  assert.ok(!Array.isArray(outcome(of(1_000_000, '1'))), 'answers of upstreams are not bounded so');
});

test('a field knows how many entries it holds, numbers and literals left out', () => {
  const json = scanJsonObject(Buffer.from('{"a":["x",{"y":[1,2,"z"]},[],1,null],"b":{"c":"d","e":1},"f":"g","h":[]}'));
  assert.deepEqual(
    json.entries.map(({ name, entries }) => [name, entries]),
    [
      ['a', 3],
      ['b', 1],
      ['f', 0],
      ['h', 0],
    ],
  );
});

test('long texts are walked once: parts and changed bodies know where they end', () => {
  const long = '\\n'.repeat(20_000);
  const body = Buffer.from(`{"model":"m","list":[{"text":"${long}","n":1},"${long}"],"end":true}`);
  const json = scanJsonObject(body);
  const field = json.fields.get('list');
  assert.ok(field !== undefined && json.texts?.ends.size === 2);
  const [first, second] = arrayElements(json, field);
  assert.ok(first !== undefined && second !== undefined);
  const inner = scanJsonObject(first);
  assert.deepEqual(JSON.parse(first.toString()), { text: '\n'.repeat(20_000), n: 1 });
  assert.deepEqual([...inner.fields.keys()], ['text', 'n']);
  assert.equal(inner.texts?.ends, json.texts.ends);
  assert.equal(partOf(inner, 0, first.length).length, first.length);

  const changed = rewriteJsonObject(json, { set: { model: '"a longer name"' } });
  const again = scanJsonObject(changed);
  const ends = [...(again.texts?.ends ?? [])];
  assert.equal(ends.length, 2);
  for (const [start, end] of ends) {
    assert.equal(changed.toString('latin1', start, end), `"${long}"`);
    assert.equal(new JsonScanner(changed, 9, again).skipValue(start, 0), end);
  }
  assert.deepEqual(JSON.parse(changed.toString()), {
    ...(JSON.parse(body.toString()) as object),
    model: 'a longer name',
  });
});

test('bodies that are scanned at once take turns, one slice in a round of the event loop', async () => {
  const queue = new ScanQueue();
  const order: string[] = [];
  let rounds = 0;
  const counting = setInterval(() => {}, 1_000);
  const count = (): void => {
    rounds++;
    if (order.length < 6) setImmediate(count);
  };
  setImmediate(count);
  const scan = async (name: string): Promise<void> => {
    for (let slice = 0; slice < 3; slice++) {
      await queue.take();
      order.push(name);
    }
  };
  await Promise.all([scan('a'), scan('b')]);
  clearInterval(counting);
  assert.deepEqual(order, ['a', 'b', 'a', 'b', 'a', 'b']);
  assert.ok(rounds >= 5, `${rounds} rounds for 6 slices`);
  await slot();
});
