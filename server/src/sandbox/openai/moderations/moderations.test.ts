import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startSandbox } from '../../server.ts';
import { call } from '../../test-client.ts';

const sandbox = await startSandbox();
after(() => sandbox.stop());

type Result = {
  flagged: boolean;
  categories: Record<string, boolean>;
  category_scores: Record<string, number>;
  category_applied_input_types: Record<string, string[]>;
};
const ask = (input: unknown) => call(sandbox, { input }, { path: '/moderations' });
const judge = async (input: unknown) => (JSON.parse((await ask(input)).text) as { results: Result[] }).results;

test('a text, several texts and mixed parts are judged', async () => {
  const [calm] = await judge('A walk in the park');
  assert.equal(calm?.flagged, false);
  assert.equal(Object.keys(calm?.category_scores ?? {}).length, 13);
  const several = await judge(['hello', 'I will kill you']);
  assert.deepEqual(
    several.map(({ flagged }) => flagged),
    [false, true],
  );
  assert.partialDeepStrictEqual(several[1]?.categories, {
    violence: true,
    'harassment/threatening': true,
    hate: false,
  });
  const mixed = await judge([
    { type: 'text', text: 'murder' },
    { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
  ]);
  assert.equal(mixed.length, 1);
  assert.deepEqual(mixed[0]?.category_applied_input_types['violence'], ['text', 'image']);
  assert.deepEqual(mixed[0]?.category_applied_input_types['hate'], ['text']);
});

test('wrong input is refused', async () => {
  for (const input of [undefined, [], 5, {}, [5], [{ type: 'text' }], [{ type: 'image_url' }], [{ type: 'x' }]]) {
    assert.equal((await ask(input)).status, 400, JSON.stringify(input));
  }
});
