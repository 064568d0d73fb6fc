import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bucketOf } from '../../routing/call-record.ts';
import { FAILED_CALLS, keepMemory } from '../../store/queries/channel-memory.ts';
import type { Store } from '../../store/store.ts';
import { onEveryStore } from '../../testing/stores.ts';
import { type Call, makeOperatorApp, START } from '../testing/operator-app.ts';

const NOW = START / 1000;
const HOUR = NOW - (NOW % 3600);

async function makeChannel(call: Call, name: string): Promise<{ id: string; keys: { id: string }[] }> {
  const settings = { provider: 'openai', base_url: 'https://upstream.example/v1', models: { m: 'm' } };
  return (await call('POST', '/channels', { ...settings, name, keys: ['sk-one', 'sk-two'] })).body;
}

/** What the calls of one key in one hour leave behind. */
function callsOf(channel_id: string, key_id: string, hour: number, answered: number, failed: number, amount = 0n) {
  const rows = [
    { channel_id, key_id, hour, bucket: bucketOf(200), calls: answered, amount: 0n },
    { channel_id, key_id, hour, bucket: FAILED_CALLS, calls: failed, amount },
  ];
  return rows;
}

async function keep(store: Store, keyCalls: ReturnType<typeof callsOf>, isFailing = false): Promise<void> {
  const sums = Map.groupBy(keyCalls, ({ channel_id, hour, bucket }) => `${channel_id} ${hour} ${bucket}`);
  const calls = [...sums.values()].flatMap((rows) => {
    const [first] = rows;
    const count = rows.reduce((sum, row) => sum + row.calls, 0);
    return first === undefined
      ? []
      : [{ channel_id: first.channel_id, hour: first.hour, bucket: first.bucket, calls: count }];
  });
  const [one] = keyCalls;
  const failure = { error_at: NOW, error_class: 'overloaded', error_status: 500, error_message: '500: no.' };
  const channel_id = one?.channel_id ?? '';
  await keepMemory(store, {
    calls,
    keyCalls,
    successes: isFailing ? [] : [{ channel_id, success_at: NOW }],
    errors: isFailing ? [{ channel_id, ...failure }] : [],
    keyErrors: isFailing ? [{ channel_id, key_id: one?.key_id ?? '', ...failure }] : [],
  });
}

onEveryStore((open) => {
  test('the board has 24 hours of each channel and key in one call: calls, p95, last error, charges (issue 34)', async () => {
    const { call, store } = await makeOperatorApp(await open());
    const { id, keys } = await makeChannel(call, 'main');
    const [first = { id: '' }, second = { id: '' }] = keys;
    await keep(
      store,
      [
        ...callsOf(id, first.id, HOUR, 3, 1, 2_500_000_000n),
        ...callsOf(id, first.id, HOUR - 3600, 4, 0, 1n),
        ...callsOf(id, second.id, HOUR - 3600, 2, 2),
        ...callsOf(id, 'removed', HOUR - 3600, 1, 0, 1_000_000_000n),
        ...callsOf(id, first.id, HOUR - 30 * 3600, 50, 50, 9n),
      ],
      true,
    );
    const { status, body } = await call('GET', '/channel-board');
    assert.equal(status, 200);
    const [row] = body.data;
    assert.deepEqual([row.id, row.name, row.health.calls], [id, 'main', 13]);
    assert.equal(row.charged, '3.500000001');
    assert.deepEqual(row.hours, [
      { hour: HOUR - 3600, answered: 7, failed: 2, charged: '1.000000001' },
      { hour: HOUR, answered: 3, failed: 1, charged: '2.5' },
    ]);
    const [one, two] = row.key_calls;
    assert.deepEqual([one.id, one.calls, one.success_rate, one.charged], [first.id, 8, 0.875, '2.500000001']);
    assert.ok(one.p95_ms >= 200 && one.p95_ms < 240);
    assert.deepEqual(one.last_error, { class: 'overloaded', status: 500, message: '500: no.', at: NOW });
    assert.deepEqual([two.id, two.success_rate, two.last_error], [second.id, 0.5, null]);
    assert.deepEqual(two.hours, [{ hour: HOUR - 3600, answered: 2, failed: 2, charged: '0' }]);
  });

  test('the board is filtered by failing, name, provider and state, and pages through what is left (issue 34)', async () => {
    const { call, store, clock } = await makeOperatorApp(await open());
    const made = [];
    for (const name of ['bad one', 'good', 'bad two', 'quiet', 'bad three']) {
      const channel = await makeChannel(call, name);
      made.push(channel);
      clock.move(1); // ids are in the order of time
      if (name !== 'quiet') await keep(store, callsOf(channel.id, 'k', HOUR, 1, 1), name.startsWith('bad'));
    }
    const names = async (query: string): Promise<string[]> =>
      (await call('GET', `/channel-board${query}`)).body.data.map(({ name }: { name: string }) => name);
    assert.deepEqual(await names('?health=failing'), ['bad three', 'bad two', 'bad one']);
    assert.deepEqual(await names('?health=healthy'), ['good']);
    assert.deepEqual(await names('?health=unknown'), ['quiet']);
    assert.deepEqual(await names('?q=BAD'), ['bad three', 'bad two', 'bad one']);
    assert.deepEqual(await names('?provider=gemini'), []);
    const first = (await call('GET', '/channel-board?health=failing&limit=2')).body;
    assert.equal(first.data.length, 2);
    assert.deepEqual(await names(`?health=failing&limit=2&cursor=${first.next_cursor}`), ['bad one']);
    await call('PATCH', `/channels/${made[0]?.id}`, { status: 'disabled' });
    assert.deepEqual(await names('?health=off'), ['bad one']);
    assert.equal((await call('GET', '/channel-board?health=fine')).status, 400);
  });

  test('the calls of a removed channel go with it', async () => {
    const { call, store } = await makeOperatorApp(await open());
    const { id } = await makeChannel(call, 'main');
    await keep(store, callsOf(id, 'k', HOUR, 1, 1), true);
    await call('DELETE', `/channels/${id}`);
    for (const table of ['channel_key_calls', 'channel_key_errors'] as const)
      assert.deepEqual(await store.reads.selectFrom(table).selectAll().execute(), []);
  });
});
