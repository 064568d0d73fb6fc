import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listAlerts } from '../store/queries/alerts.ts';
import { insertSink } from '../store/queries/alert-sinks.ts';
import type { Store } from '../store/store.ts';
import { onEveryStore } from '../testing/stores.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { AlertWatch, type AlertWatchSettings } from './alert-watch.ts';
import { addChannel, evaluator, remember, sinkRow } from './testing/alert-rows.ts';

const seconds = (): number => Math.floor(Date.now() / 1000);
const down = () => ({ channel_id: 'a', error_at: seconds(), error_class: 'unreachable' });

function watchOf(store: Store, owner: string, more: Partial<AlertWatchSettings> = {}): AlertWatch {
  return new AlertWatch({
    store,
    clock: { now: () => Date.now() },
    owner,
    currency: 'USD',
    withSandbox: true,
    probe: async () => {},
    onDelivery() {},
    onError: (error) => assert.fail(String(error)),
    roundMs: 30,
    ...more,
  });
}

const states = async (store: Store): Promise<string[]> =>
  (await listAlerts(store.reads, { limit: 10 })).map(({ subject, resolved_at }) =>
    resolved_at === null ? `${subject} open` : `${subject} resolved`,
  );

const events = async (store: Store): Promise<string[]> => {
  const rows = await store.reads.selectFrom('alert_deliveries').select(['sink_id', 'event']).orderBy('id').execute();
  return rows.map(({ sink_id, event }) => `${sink_id} ${event}`).sort();
};

onEveryStore((open) => {
  test('one of several processes evaluates; an alert is opened once, resolved once, and sent with both (contract-2 10)', async (t) => {
    const store = await open();
    await addChannel(store, 'a');
    const sinks = [
      sinkRow({ id: 'all' }),
      sinkRow({ id: 'off', status: 'disabled' }),
      sinkRow({ id: 'other', rules: '["store_slow"]' }),
      sinkRow({ id: 'start', rules: '["channel_down"]', resolved: 0 }),
    ];
    for (const sink of sinks) await store.transaction((transaction) => insertSink(transaction, sink));
    let woken = 0;
    const [one, two] = ['one', 'two'].map((owner) => watchOf(store, owner, { onDelivery: () => void woken++ }));
    t.after(() => Promise.all([one?.stop(), two?.stop()]));
    one?.start();
    two?.start();
    await remember(store, down());
    await waitUntil(async () => (await states(store)).includes('a open'), 'no alert was opened');
    await remember(store, { ...down(), success_at: seconds() + 1 });
    await waitUntil(async () => (await states(store)).includes('a resolved'), 'the alert was not resolved');
    assert.deepEqual(await states(store), ['a resolved']);
    assert.deepEqual(await events(store), ['all opened', 'all resolved', 'start opened']);
    assert.equal(woken, 2);
    const duty = await store.reads.selectFrom('alert_duty').selectAll().executeTakeFirstOrThrow();
    await (duty.owner === 'one' ? one : two)?.stop();
    await remember(store, { ...down(), error_at: seconds() + 5 });
    await waitUntil(async () => (await states(store)).includes('a open'), 'nobody took over the duty');
  });

  test('a second evaluation at the same time changes nothing', async () => {
    const store = await open();
    await addChannel(store, 'a');
    await store.transaction((transaction) => insertSink(transaction, sinkRow({ id: 'all' })));
    await remember(store, down());
    const both = (): Promise<unknown> =>
      Promise.all(Array.from({ length: 4 }, () => evaluator(store)('channel_down', { now: seconds() })));
    await both();
    await remember(store, { ...down(), success_at: seconds() + 1 });
    await both();
    assert.deepEqual([await states(store), await events(store)], [['a resolved'], ['all opened', 'all resolved']]);
  });

  test('a channel that is down is probed, so that its alert ends without traffic', async (t) => {
    const store = await open();
    await addChannel(store, 'a');
    await remember(store, down());
    const probed: string[] = [];
    const watch = watchOf(store, 'one', {
      async probe(id) {
        probed.push(id);
        if (probed.length > 1) await remember(store, { ...down(), test_at: seconds() + 1, test_ok: 1 });
      },
    });
    t.after(() => watch.stop());
    watch.start();
    await waitUntil(async () => (await states(store)).includes('a resolved'), 'the alert was not resolved');
    assert.deepEqual(probed.slice(0, 2), ['a', 'a']);
  });

  test('a rule that fails leaves its alerts and the other rules alone', async (t) => {
    const store = await open();
    await addChannel(store, 'a');
    await remember(store, down());
    await store.transaction((transaction) =>
      transaction
        .insertInto('alert_rules')
        .values({ rule: 'spend_spike', enabled: 1, thresholds: '{"factor":"x"}' })
        .execute(),
    );
    const failed: string[] = [];
    const watch = watchOf(store, 'one', { onError: (_error, what) => void failed.push(what) });
    t.after(() => watch.stop());
    watch.start();
    await waitUntil(async () => (await states(store)).includes('a open'), 'no alert was opened');
    await waitUntil(() => failed.length > 0, 'the rule did not fail');
    assert.equal(failed[0], 'the alert rule spend_spike could not be evaluated');
  });
});
