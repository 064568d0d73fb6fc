import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Store } from '../../store/store.ts';
import { onEveryStore } from '../../testing/stores.ts';
import { makeOrderedId } from '../../shared/ids.ts';
import { makeOperatorApp, START } from '../testing/operator-app.ts';

const NOW = START / 1000;

/** A line of the request log. */
async function log(store: Store, more: object, secondsAgo = 3600): Promise<string> {
  const id = makeOrderedId('req', START - secondsAgo * 1000);
  await store.transaction((transaction) =>
    transaction
      .insertInto('requests')
      .values({
        id,
        account_id: 'acc',
        token_id: 'tok',
        group_name: 'default',
        endpoint: '/v1/chat/completions',
        model: 'm',
        channel_id: null,
        status: 200,
        attempts: '[]',
        total_ms: 1,
        charge: 0n,
        mode: 'live',
        created_at: NOW - secondsAgo,
        ...more,
      } as never)
      .execute(),
  );
  return id;
}

onEveryStore((open) => {
  test('what needs attention is one answer: bounded usage by channel, unpriced uses and unserved models (issue 34)', async () => {
    const store = await open();
    const { call } = await makeOperatorApp(store);
    const empty = (await call('GET', '/attention')).body;
    assert.deepEqual(empty, { alerts: [], bounded: [], unpriced: [], unserved_models: [] });

    const channel = { provider: 'openai', base_url: 'https://up.example/v1', keys: ['sk-1234567890'] };
    const made = (await call('POST', '/channels', { ...channel, name: 'one', models: { served: 'x' } })).body;
    const shut = { ...channel, name: 'two', models: { lonely: 'x' }, status: 'disabled' };
    assert.equal((await call('POST', '/channels', shut)).status, 201);
    const price = { unit: 'request', amount: '1' };
    for (const [id, more] of [
      ['served', { price }],
      ['lonely', { price }],
      ['off', { price, enabled: false }],
      ['unpriced', { price: null }],
    ] as const)
      assert.equal(
        (await call('PUT', `/models/${id}`, { owned_by: 'x', endpoint_types: [], ...more })).status,
        201,
        id,
      );

    await log(store, { usage_source: 'bounded', channel_id: made.id });
    const newest = await log(store, { usage_source: 'bounded', channel_id: made.id }, 3599);
    await log(store, { usage_source: 'bounded', channel_id: 'chn_gone' });
    await log(store, { usage_source: 'bounded' }, 2 * 86_400);
    const arithmetic = '(1 input x 2 + 1 output x 3) / 1000000; unpriced:';
    await log(store, { arithmetic: `${arithmetic} 2 web_search, tier priority` });
    await log(store, { arithmetic: `${arithmetic} 3 web_search` });
    await log(store, { model: 'n', arithmetic: '0.01 per request; unpriced: 1 web_fetch' });

    const { bounded, unpriced, unserved_models } = (await call('GET', '/attention')).body;
    const byName = (a: { channel: string | null }) => (a.channel === null ? 1 : -1);
    const [first, gone] = bounded.toSorted(byName);
    assert.deepEqual(first, { channel_id: made.id, channel: 'one', requests: 2, request_id: newest });
    assert.deepEqual([gone.channel_id, gone.channel, gone.requests], ['chn_gone', null, 1]);
    assert.deepEqual(
      unpriced
        .toSorted((a: { model: string }, b: { model: string }) => (a.model < b.model ? -1 : 1))
        .map(({ model, uses }: { model: string; uses: object }) => [model, uses]),
      [
        ['m', { web_search: 5, 'tier priority': 1 }],
        ['n', { web_fetch: 1 }],
      ],
    );
    assert.deepEqual(unserved_models, ['lonely']);
  });

  test('a request of a batch line with the longest custom_id is named there, and found (contract-2 8)', async () => {
    const store = await open();
    const { call } = await makeOperatorApp(store);
    const id = `batch_${'b'.repeat(32)}/${'a'.repeat(256)}`;
    await log(store, { id, arithmetic: '0.01 per request; unpriced: 1 web_fetch', usage_source: 'bounded' });
    const { body } = await call('GET', '/attention');
    assert.deepEqual([body.bounded?.[0].request_id, body.unpriced?.[0].request_id], [id, id], JSON.stringify(body));
    const { found } = (await call('GET', `/search?q=${encodeURIComponent(id)}`)).body;
    assert.deepEqual(
      found?.map((one: { id: string }) => one.id),
      [id],
    );
  });
});
