// What is held for a line of a batch covers all that it names: the conversation that it goes on from and the account's files,
// which are put into it only when it runs (contract-2 8, promise M-02).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toFile } from 'openai';
import { BATCH_PRICE, begin, chatLine, ended, openai } from './support/batches.ts';
import { NO_DATABASE_SERVER } from './support/gateway.ts';
import { balanceOf, ledgerOf, nano } from './support/money.ts';
import { waitUntil } from './support/wait.ts';
import { makeWorld, suiteGateway, type World } from './support/world.ts';

/** 200,000 bytes, of which each costs 0.00000125 x 1/2 to 1/3 in a batch. */
const LONG = 'abcd '.repeat(40_000);
const BATCHED = { model: { price: BATCH_PRICE } };

interface Line {
  url: string;
  body: object;
}

const numbered = (count: number, { url, body }: Line): object[] =>
  Array.from({ length: count }, (_, index) => ({ custom_id: String(index), method: 'POST', url, body }));

/** Five such lines are beyond the credit, and two are not. */
async function assertCovered(world: World, line: Line): Promise<void> {
  const { gateway, account } = world;
  const client = openai(world);
  const before = await balanceOf(gateway, account.id);
  const calls = world.calls().length;
  await assert.rejects(begin(client, numbered(5, line), line.url), { status: 402, code: 'insufficient_quota' });
  assert.deepEqual((await client.batches.list()).data, []);
  assert.deepEqual([await balanceOf(gateway, account.id), world.calls().length], [before, calls]);

  const { id } = await begin(client, numbered(2, line), line.url);
  const batch = await ended(client, id);
  assert.deepEqual(batch.request_counts, { total: 2, completed: 2, failed: 0 });
  const entries = await ledgerOf(gateway, { task_id: id });
  const amounts = (kind: string): bigint[] =>
    entries.filter((entry) => entry.kind === kind).map(({ amount }) => nano(amount));
  const charges = amounts('settle');
  assert.equal(charges.length, 2);
  for (const held of amounts('hold')) assert.ok(held >= (charges[0] ?? held), `${held} held, ${charges[0]} charged`);
}

for (const postgres of [false, true]) {
  const skip = postgres ? NO_DATABASE_SERVER : false;
  describe(`holds of batches on ${postgres ? 'PostgreSQL' : 'SQLite'} (contract-2 8)`, { skip }, async () => {
    if (skip !== false) return;
    const gateway = await suiteGateway({ postgres, settings: { TOLLGATE_BATCH_CONCURRENCY: '1' } });

    test('a line that goes on from a kept conversation is held with all of it (contract-2 8, promise M-02)', async (t) => {
      const channels = [{ options: { speaks: ['chat'] } }];
      const world = await makeWorld(gateway, t, { credit: '0.5', ...BATCHED, channels });
      const client = openai(world);
      const { model } = world;
      const first = await client.responses.create({ model, max_output_tokens: 50, input: LONG });
      const second = await client.responses.create({
        model,
        max_output_tokens: 50,
        input: 'And then?',
        previous_response_id: first.id,
      });
      const body = { model, max_output_tokens: 50, input: 'Go on', previous_response_id: second.id };
      await assertCovered(world, { url: '/v1/responses', body });
    });

    test('a line that names a file is held with what is in it (contract-2 8, promise M-02)', async (t) => {
      const world = await makeWorld(gateway, t, { credit: '0.3', ...BATCHED });
      const file = await toFile(Buffer.from(LONG), 'long.txt', { type: 'text/plain' });
      const { id: file_id } = await openai(world).files.create({ purpose: 'user_data', file });
      const content = [{ type: 'document', source: { type: 'file', file_id } }];
      const body = { model: world.model, max_tokens: 50, messages: [{ role: 'user', content }] };
      await assertCovered(world, { url: '/v1/messages', body });
    });

    test('a line runs with the longest answer of the model at its hold, whatever an operator changes (contract-2 8, promise M-13)', async (t) => {
      const model = { price: BATCH_PRICE, max_output_tokens: 100 };
      const world = await makeWorld(gateway, t, { model, channels: [{ behave: 'slow-1500' }] });
      const client = openai(world);
      const { id } = await begin(client, [
        chatLine('bounded', world.model),
        chatLine('open', world.model, { max_tokens: undefined }),
      ]);
      await waitUntil(() => world.calls().length === 1, 'no line runs');
      await gateway.operator('PUT', `/models/${world.model}`, { ...model, max_output_tokens: 32_768 });
      const batch = await ended(client, id);
      assert.deepEqual(batch.request_counts, { total: 2, completed: 2, failed: 0 });
    });
  });
}
