// Batches with the openai SDK: validation, money, order of states, outputs, cancel (contract-2 8).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { LedgerEntry } from '#contract/ledger.ts';
import { BATCH_PRICE, begin, chatLine, ended, linesOf, openai, settlesOf, upload } from './support/batches.ts';
import { NO_DATABASE_SERVER } from './support/gateway.ts';
import { balanceOf, nano, requestsOf } from './support/money.ts';
import { waitUntil } from './support/wait.ts';
import { watchAnswers } from './support/watch-answers.ts';
import { makeToken, makeWorld, suiteGateway } from './support/world.ts';

for (const postgres of [false, true]) {
  const skip = postgres ? NO_DATABASE_SERVER : false;
  describe(`batches on ${postgres ? 'PostgreSQL' : 'SQLite'} (contract-2 8)`, { skip, concurrency: 4 }, async () => {
    if (skip !== false) return;
    const gateway = await suiteGateway({ postgres });
    watchAnswers(gateway);

    test('every line is answered, charged once at the price of batches, and put into the output file', async (t) => {
      const world = await makeWorld(gateway, t, { model: { price: BATCH_PRICE } });
      const client = openai(world);
      const ids = ['first', 'second', 'a line with spaces / and a slash', '4', '5'];
      const input_file_id = await upload(
        client,
        ids.map((id) => chatLine(id, world.model)),
      );
      const metadata = { purpose: 'test' };
      const made = await client.batches.create({
        input_file_id,
        endpoint: '/v1/chat/completions',
        completion_window: '24h',
        metadata,
      });
      assert.match(made.id, /^batch_/);
      assert.deepEqual(
        [made.object, made.status, made.endpoint, made.input_file_id, made.metadata, made.request_counts],
        ['batch', 'validating', '/v1/chat/completions', input_file_id, metadata, { total: 5, completed: 0, failed: 0 }],
      );
      assert.equal(made.expires_at, made.created_at + 86_400);
      const batch = await ended(client, made.id);
      assert.equal(batch.status, 'completed');
      assert.deepEqual(batch.request_counts, { total: 5, completed: 5, failed: 0 });
      assert.equal('error_file_id' in batch, false);
      const lines = await linesOf(client, batch.output_file_id);
      assert.deepEqual(
        lines.map(({ custom_id }) => custom_id),
        ids,
      );
      const settles = await settlesOf(world, batch.id);
      let [input, output] = [0, 0];
      for (const { custom_id, response, error } of lines) {
        assert.equal(error, null);
        assert.equal(response?.status_code, 200);
        assert.equal(response.request_id, `${batch.id}/${custom_id}`);
        assert.equal(response.body['object'], 'chat.completion');
        const { prompt_tokens, completion_tokens } = response.body['usage'] as Record<string, number>;
        const due = (BigInt(prompt_tokens ?? 0) * 2_500n + BigInt(completion_tokens ?? 0) * 10_000n) / 2n;
        assert.deepEqual(settles.get(custom_id)?.map(nano), [due]);
        input += prompt_tokens ?? 0;
        output += completion_tokens ?? 0;
      }
      assert.deepEqual([batch.usage?.input_tokens, batch.usage?.output_tokens], [input, output]);
      const ofBatch = await gateway.operator<{ data: LedgerEntry[] }>('GET', `/ledger?task_id=${batch.id}&kind=settle`);
      assert.deepEqual(
        ofBatch.data.map(({ request_id }) => request_id ?? '').toSorted(),
        ids.map((id) => `${batch.id}/${id}`).toSorted(),
        'the ledger of a batch is found by its id',
      );
      const found = await gateway.operator<{ found: { id: string }[] }>('GET', `/search?q=${batch.id}/fir`);
      assert.deepEqual(
        found.found.map(({ id }) => id),
        [`${batch.id}/first`],
      );
      const since = batch.created_at - 60;
      const logged = await requestsOf(gateway, { account_id: world.account.id, from: String(since) });
      assert.deepEqual(logged.map(({ id }) => id).toSorted(), ids.map((id) => `${batch.id}/${id}`).toSorted());
      assert.ok(logged.every(({ arithmetic }) => arithmetic?.endsWith(' x 0.5 (batch)') === true));
      const file = await client.files.retrieve(batch.output_file_id ?? '');
      assert.equal(file.purpose, 'batch_output');
      assert.deepEqual((await client.batches.list({ limit: 1 })).data, [batch]);
    });

    test('a bad line fails the batch before any runs, and the errors name it', async (t) => {
      const world = await makeWorld(gateway, t);
      const client = openai(world);
      const { model } = world;
      const batch = await ended(
        client,
        (
          await begin(client, [
            chatLine('good', model),
            '{"custom_id": "cut',
            chatLine('good', model),
            chatLine('3', 'no-such-model'),
            { ...chatLine('4', model), url: '/v1/responses' },
            chatLine('5', model, { messages: 'none' }),
            { method: 'POST', url: '/v1/chat/completions', body: {} },
            chatLine('7', model, { stream: true }),
            'no JSON at all',
            { ...chatLine('9', model), custom_id: 9 },
          ])
        ).id,
      );
      assert.equal(batch.status, 'failed');
      assert.deepEqual(
        batch.errors?.data?.map(({ line, code, param }) => [line, code, param]),
        [
          [2, 'invalid_json_line', undefined],
          [3, 'duplicate_custom_id', 'custom_id'],
          [4, 'model_not_found', 'body.model'],
          [5, 'mismatched_endpoint', 'url'],
          [6, 'invalid_request', 'body.messages'],
          [7, 'invalid_custom_id', 'custom_id'],
          [8, 'invalid_request', 'body.stream'],
          [9, 'invalid_json_line', undefined],
          [10, 'invalid_request', 'custom_id'],
        ],
      );
      assert.match(batch.errors?.data?.[0]?.message ?? '', /^The line is not a valid JSON object/);
      assert.equal(world.calls().length, 0);
    });

    test('too little money for the sum of the lines is 402, and nothing is held or run', async (t) => {
      const world = await makeWorld(gateway, t, { credit: '0.002', model: { price: BATCH_PRICE } });
      const client = openai(world);
      const lines = Array.from({ length: 20 }, (_, index) => chatLine(String(index), world.model));
      await assert.rejects(begin(client, lines), { status: 402, code: 'insufficient_quota' });
      assert.equal(await balanceOf(gateway, world.account.id), '0.002');
      assert.deepEqual((await client.batches.list()).data, []);
      const two = await begin(client, lines.slice(0, 2));
      assert.equal((await ended(client, two.id)).status, 'completed', 'a few are covered, at the price of batches');
      const token = await makeToken(gateway, { account_id: world.account.id, quota: '0.0001' });
      await assert.rejects(begin(openai({ gateway, key: token.key }), lines.slice(0, 2)), { status: 402 });
    });

    test('lines that fail stand in the error file and cost nothing', async (t) => {
      const world = await makeWorld(gateway, t);
      const client = openai(world);
      const bad = chatLine('bad', world.model, { messages: [{ role: 'nobody', content: 'x' }] });
      const { id } = await begin(client, [chatLine('good', world.model), bad]);
      const batch = await ended(client, id);
      assert.deepEqual(
        [batch.status, batch.request_counts?.completed, batch.request_counts?.failed],
        ['completed', 1, 1],
      );
      const [failed] = await linesOf(client, batch.error_file_id);
      assert.equal(failed?.custom_id, 'bad');
      assert.equal(failed.response?.status_code, 400);
      assert.match(JSON.stringify(failed.response.body), /^\{"error":\{"message":"/);
      assert.deepEqual([...(await settlesOf(world, id)).keys()], ['good']);
    });

    test('a cancelled batch charges what was answered, releases the rest, and names both in its files', async (t) => {
      const world = await makeWorld(gateway, t, { channels: [{ behave: 'slow-300' }] });
      const client = openai(world);
      const lines = Array.from({ length: 60 }, (_, index) => chatLine(String(index), world.model));
      const { id } = await begin(client, lines);
      await waitUntil(async () => (await client.batches.retrieve(id)).request_counts?.completed !== 0, 'nothing runs');
      const cancelling = await client.batches.cancel(id);
      assert.equal(cancelling.status, 'cancelling');
      const batch = await ended(client, id);
      assert.equal(batch.status, 'cancelled');
      const done = await linesOf(client, batch.output_file_id);
      const rest = await linesOf(client, batch.error_file_id);
      assert.equal(done.length + rest.length, 60);
      assert.ok(done.length > 0 && rest.length > 0);
      assert.ok(rest.every(({ error }) => error?.code === 'batch_cancelled'));
      const settles = await settlesOf(world, id);
      assert.deepEqual([...settles.keys()].toSorted(), done.map(({ custom_id }) => custom_id).toSorted());
      assert.equal(world.calls().length, done.length);
      await assert.rejects(client.batches.cancel(id), { status: 409 });
    });

    test('other accounts see nothing, and what is asked for wrongly is named', async (t) => {
      const world = await makeWorld(gateway, t);
      const client = openai(world);
      const input_file_id = await upload(client, [chatLine('1', world.model)]);
      const ask = { input_file_id, endpoint: '/v1/chat/completions', completion_window: '24h' } as const;
      const { id } = await client.batches.create(ask);
      const stranger = openai(await makeWorld(gateway, t));
      await assert.rejects(stranger.batches.retrieve(id), { status: 404 });
      await assert.rejects(stranger.batches.cancel(id), { status: 404 });
      await assert.rejects(stranger.batches.create(ask), { status: 404, param: 'input_file_id' });
      assert.deepEqual((await stranger.batches.list()).data, []);
      for (const [wrong, param] of [
        [{ endpoint: '/v1/images/generations' }, 'endpoint'],
        [{ completion_window: '1h' }, 'completion_window'],
        [{ metadata: { a: 'x'.repeat(513) } }, 'metadata.a'],
        [{ output_expires_after: { anchor: 'created_at', seconds: 1 } }, 'output_expires_after.seconds'],
      ] as const)
        await assert.rejects(client.batches.create({ ...ask, ...wrong } as never), { status: 400, param });
      await ended(client, id);
    });

    test('lines of responses, embeddings, completions and messages run as well', async (t) => {
      const world = await makeWorld(gateway, t);
      const client = openai(world);
      const { model } = world;
      for (const [endpoint, body, object] of [
        ['/v1/responses', { model, input: 'Hello', max_output_tokens: 30 }, 'response'],
        ['/v1/embeddings', { model, input: 'Hello' }, 'list'],
        ['/v1/completions', { model, prompt: 'Hello', max_tokens: 20 }, 'text_completion'],
        ['/v1/messages', { model, max_tokens: 20, messages: [{ role: 'user', content: 'Hi' }] }, undefined],
      ] as const) {
        const { id } = await begin(client, [{ custom_id: 'one', method: 'POST', url: endpoint, body }], endpoint);
        const batch = await ended(client, id);
        const [line] = await linesOf(client, batch.output_file_id ?? batch.error_file_id);
        assert.deepEqual([line?.response?.status_code, line?.response?.body['object']], [200, object], endpoint);
      }
    });

    test('a rate policy is kept, and half of it is left for live requests', async (t) => {
      const world = await makeWorld(gateway, t, { token: { rate: { rpm: 8, tpm: null, concurrency: null } } });
      const client = openai(world);
      const lines = Array.from({ length: 12 }, (_, index) => chatLine(String(index), world.model));
      const { id } = await begin(client, lines);
      await waitUntil(
        async () => (await client.batches.retrieve(id)).request_counts?.completed === 4,
        'four lines run',
      );
      for (let live = 0; live < 4; live++)
        await client.chat.completions.create({ model: world.model, messages: [{ role: 'user', content: 'Hi' }] });
      assert.equal(world.calls().length, 8);
      await client.batches.cancel(id);
      const batch = await ended(client, id);
      assert.equal(batch.request_counts?.completed, 4);
    });
  });
}
