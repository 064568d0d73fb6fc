import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startSandbox } from '../../server.ts';
import { call } from '../../test-client.ts';

const sandbox = await startSandbox();
after(() => sandbox.stop());

const model = 'text-embedding-3-small';
const ask = (fields: object) => call(sandbox, { model, input: 'Hello', ...fields }, { path: '/embeddings' });
type List<T> = { data: { embedding: T; index: number }[]; usage: { prompt_tokens: number } };
const embed = async <T = number[]>(fields: object) => JSON.parse((await ask(fields)).text) as List<T>;
const dot = (one: number[] = [], other: number[] = []): number =>
  one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);

test('vectors have unit length, are near for similar texts and far for others', async () => {
  const input = ['The cat sat on the mat', 'A cat was sitting on a mat', 'Quarterly revenue grew sharply', '🙂'];
  const { data, usage } = await embed({ input });
  const [cat, kitten, money, sign] = data.map(({ embedding }) => embedding);
  for (const vector of [cat, kitten, money, sign]) assert.ok(Math.abs(dot(vector, vector) - 1) < 1e-5);
  assert.ok(dot(cat, kitten) > dot(cat, money) + 0.3);
  assert.equal(cat?.length, 1536);
  assert.equal(usage.prompt_tokens, 6 + 7 + 5 + 1);
});

test('base64 says the same as floats; dimensions and token input are taken', async () => {
  const fields = { input: [[1, 2, 3], [4]], dimensions: 64 };
  const floats = await embed(fields);
  const coded = await embed<string>({ ...fields, encoding_format: 'base64' });
  const bytes = Buffer.from(coded.data[1]?.embedding ?? '', 'base64');
  const decoded = Array.from({ length: 64 }, (_, index) => bytes.readFloatLE(index * 4));
  assert.deepEqual(decoded, floats.data[1]?.embedding);
  assert.equal(floats.usage.prompt_tokens, 4);
  assert.equal((await embed({ model: 'text-embedding-3-large' })).data[0]?.embedding.length, 3072);
  assert.equal((await embed({ input: [7, 8] })).data.length, 1);
});

test('what the real service refuses is refused', async () => {
  const wrong: object[] = [
    { input: undefined },
    { input: '' },
    { input: [] },
    { input: ['a', ''] },
    { input: ['a', 5] },
    { input: [[]] },
    { input: Array.from({ length: 2049 }, () => 'a') },
    { input: 'a '.repeat(9000) },
    { encoding_format: 'hex' },
    { dimensions: 0 },
    { dimensions: 1537 },
  ];
  for (const fields of wrong) assert.equal((await ask(fields)).status, 400, JSON.stringify(fields).slice(0, 60));
  assert.equal((await ask({ model: 'nope' })).status, 404);
});
