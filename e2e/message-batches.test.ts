// Message batches with Anthropic's SDK: create, get, list, cancel, delete, results (contract-2 8).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import { BATCH_PRICE, settlesOf } from './support/batches.ts';
import { NO_DATABASE_SERVER } from './support/gateway.ts';
import { balanceOf, nano } from './support/money.ts';
import { waitUntil } from './support/wait.ts';
import { watchAnswers } from './support/watch-answers.ts';
import { makeWorld, suiteGateway, type World } from './support/world.ts';

function client({ gateway, key }: Pick<World, 'gateway' | 'key'>): Anthropic {
  return new Anthropic({ apiKey: key, baseURL: gateway.address, maxRetries: 0 });
}

function requestsFor(model: string, count: number): Anthropic.Messages.BatchCreateParams.Request[] {
  return Array.from({ length: count }, (_, index) => ({
    custom_id: `request-${index}`,
    params: { model, max_tokens: 30, messages: [{ role: 'user', content: `Say ${index}` }] },
  }));
}

async function ended(anthropic: Anthropic, id: string): Promise<Anthropic.Messages.MessageBatch> {
  let batch = await anthropic.messages.batches.retrieve(id);
  await waitUntil(async () => {
    batch = await anthropic.messages.batches.retrieve(id);
    return batch.processing_status === 'ended';
  }, 'the batch does not end');
  return batch;
}

for (const postgres of [false, true]) {
  const skip = postgres ? NO_DATABASE_SERVER : false;
  describe(
    `message batches on ${postgres ? 'PostgreSQL' : 'SQLite'} (contract-2 8)`,
    { skip, concurrency: 4 },
    async () => {
      if (skip !== false) return;
      const gateway = await suiteGateway({ postgres });
      watchAnswers(gateway);
      const anthropicChannel = { provider: 'anthropic', base_url: gateway.upstream.baseUrl('anthropic') } as const;

      test('the SDK creates, follows, reads the results, lists and deletes', async (t) => {
        for (const channel of [anthropicChannel, {}]) {
          const world = await makeWorld(gateway, t, { model: { price: BATCH_PRICE }, channels: [channel] });
          const anthropic = client(world);
          const made = await anthropic.messages.batches.create({ requests: requestsFor(world.model, 6) });
          assert.match(made.id, /^msgbatch_/);
          assert.deepEqual(
            [made.type, made.processing_status, made.ended_at, made.results_url, made.request_counts.processing],
            ['message_batch', 'in_progress', null, null, 6],
          );
          const batch = await ended(anthropic, made.id);
          assert.deepEqual(batch.request_counts, { processing: 0, succeeded: 6, errored: 0, canceled: 0, expired: 0 });
          const settles = await settlesOf(world, batch.id);
          const seen: string[] = [];
          for await (const { custom_id, result } of await anthropic.messages.batches.results(batch.id)) {
            seen.push(custom_id);
            assert.equal(result.type, 'succeeded');
            const { usage, type } = result.message;
            assert.equal(type, 'message');
            const due = (BigInt(usage.input_tokens) * 2_500n + BigInt(usage.output_tokens) * 10_000n) / 2n;
            assert.deepEqual(settles.get(custom_id)?.map(nano), [due]);
          }
          assert.deepEqual(
            seen,
            requestsFor(world.model, 6).map(({ custom_id }) => custom_id),
          );
          const listed = await anthropic.messages.batches.list({ limit: 5 });
          assert.deepEqual(listed.data, [batch]);
          assert.deepEqual(await anthropic.messages.batches.delete(batch.id), {
            id: batch.id,
            type: 'message_batch_deleted',
          });
          await assert.rejects(anthropic.messages.batches.retrieve(batch.id), { status: 404 });
        }
      });

      test('a request that is wrong is 400 by its place; too little money is 402; nothing runs', async (t) => {
        const world = await makeWorld(gateway, t, { credit: '0.001' });
        const anthropic = client(world);
        const [good] = requestsFor(world.model, 1);
        assert.ok(good);
        for (const [requests, words] of [
          [[], /must not be empty/],
          [[good, good], /requests\[1\].*used twice/],
          [[good, { ...good, custom_id: '' }], /requests\[1\].*'custom_id' is required/],
          [[{ ...good, params: { ...good.params, max_tokens: 0.5 } }], /requests\[0\].*'max_tokens'/],
          [[{ ...good, params: { ...good.params, stream: true } }], /requests\[0\].*'stream'/],
        ] as const)
          await assert.rejects(anthropic.messages.batches.create({ requests: requests as never }), {
            status: 400,
            message: words,
          });
        await assert.rejects(anthropic.messages.batches.create({ requests: requestsFor('nothing', 2) }), {
          status: 404,
          message: /requests\[0\]/,
        });
        await assert.rejects(anthropic.messages.batches.create({ requests: requestsFor(world.model, 20) }), {
          status: 402,
        });
        assert.equal(await balanceOf(gateway, world.account.id), '0.001');
        assert.equal(world.calls().length, 0);
      });

      test('a cancelled batch ends with what was answered; it is nobody else’s', async (t) => {
        const world = await makeWorld(gateway, t, {
          channels: [{ ...anthropicChannel, base_url: gateway.upstream.baseUrl('anthropic', 'slow-300') }],
        });
        const anthropic = client(world);
        const { id } = await anthropic.messages.batches.create({ requests: requestsFor(world.model, 40) });
        const { batches } = client(await makeWorld(gateway, t)).messages;
        await assert.rejects(batches.retrieve(id), { status: 404 });
        await assert.rejects(batches.cancel(id), { status: 404 });
        await assert.rejects(batches.delete(id), { status: 404 });
        await assert.rejects(anthropic.messages.batches.delete(id), { status: 409 });
        await waitUntil(
          async () => (await anthropic.messages.batches.retrieve(id)).request_counts.succeeded > 0,
          'nothing runs',
        );
        const cancelled = await anthropic.messages.batches.cancel(id);
        assert.equal(cancelled.processing_status, 'canceling');
        const { request_counts: counts } = await ended(anthropic, id);
        assert.ok(counts.succeeded > 0 && counts.canceled > 0);
        assert.equal(counts.succeeded + counts.canceled, 40);
        const types = new Map<string, number>();
        for await (const { result } of await anthropic.messages.batches.results(id))
          types.set(result.type, (types.get(result.type) ?? 0) + 1);
        assert.deepEqual(Object.fromEntries(types), { succeeded: counts.succeeded, canceled: counts.canceled });
        assert.equal((await settlesOf(world, id)).size, counts.succeeded);
      });
    },
  );
}
