import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeOrderedId } from '../../shared/ids.ts';
import { putAlertRule } from '../../store/queries/alerts.ts';
import type { Store } from '../../store/store.ts';
import { addAccount, requestRow } from '../../testing/fixtures.ts';
import { onEveryStore } from '../../testing/stores.ts';
import { taskRow } from '../../testing/task-rows.ts';
import { addChannel, addUsage, evaluator, NOW, rejectKey, remember } from '../testing/alert-rows.ts';

const UNIT = 1_000_000_000n;
const HOUR = NOW - 600;

const set = (store: Store, rule: string, thresholds: object, enabled = 1) =>
  store.transaction((transaction) =>
    putAlertRule(transaction, { rule, enabled, thresholds: JSON.stringify(thresholds) }),
  );

const shown = (alerts: { subject: string; title: string }[]) =>
  alerts.map(({ subject, title }) => `${subject}: ${title}`).sort();

onEveryStore((open) => {
  test('channel_down opens for a channel that cannot be reached or keeps failing, not for one failure (contract-2 10)', async () => {
    const store = await open();
    const evaluate = evaluator(store);
    for (const id of ['a', 'b', 'c', 'd', 'e']) await addChannel(store, id);
    const error = { error_at: NOW - 20, error_class: 'unreachable', error_message: 'no connection' };
    await remember(store, { channel_id: 'a', ...error });
    await remember(store, { channel_id: 'b', ...error, error_class: 'overloaded' });
    await remember(store, { channel_id: 'c', ...error, success_at: NOW - 19 });
    await remember(store, { channel_id: 'd', ...error, success_at: NOW - 3, error_at: NOW - 2 });
    await remember(store, { channel_id: 'e', ...error, error_at: NOW - 86_400 });
    assert.deepEqual(shown(await evaluate('channel_down')), ['a: Channel A is down']);
    await store.transaction((transaction) =>
      transaction.insertInto('channel_calls').values({ channel_id: 'b', hour: HOUR, bucket: -1, calls: 3 }).execute(),
    );
    const down = await evaluate('channel_down');
    assert.deepEqual(shown(down), ['a: Channel A is down', 'b: Channel B is down']);
    assert.deepEqual(
      [down[0]?.severity, down[0]?.subject_kind, down[1]?.detail],
      ['critical', 'channel', 'no connection'],
    );
  });

  test('channel_down is open once while it lasts, and ends with an answer or a good test', async () => {
    const store = await open();
    const evaluate = evaluator(store);
    await addChannel(store, 'a');
    const error = { error_at: NOW, error_class: 'unreachable' };
    await remember(store, { channel_id: 'a', ...error });
    const [first] = await evaluate('channel_down');
    await remember(store, { channel_id: 'a', ...error, error_at: NOW + 30 });
    const [second] = await evaluate('channel_down', { now: NOW + 3_000 });
    assert.equal(second?.id, first?.id);
    await remember(store, { channel_id: 'a', ...error, error_at: NOW + 30, test_at: NOW + 31, test_ok: 1 });
    assert.deepEqual(await evaluate('channel_down', { now: NOW + 3_100 }), []);
    await remember(store, { channel_id: 'a', test_at: NOW + 3_200, test_ok: 0, test_message: 'refused' });
    const [third] = await evaluate('channel_down', { now: NOW + 3_201 });
    assert.notEqual(third?.id, first?.id);
    assert.equal(third?.detail, 'refused');
    await store.transaction((transaction) => transaction.updateTable('channels').set({ status: 'disabled' }).execute());
    assert.deepEqual(await evaluate('channel_down', { now: NOW + 3_210 }), []);
  });

  test('key_rejected is one alert for each key; a channel without a working key is down', async () => {
    const store = await open();
    const evaluate = evaluator(store);
    await addChannel(store, 'a', { keys: ['k1', 'k2'] });
    await rejectKey(store, { channel_id: 'a', key_id: 'k1' });
    assert.deepEqual(shown(await evaluate('key_rejected')), ['a/k1: A rejects the key sk-…k1']);
    assert.deepEqual(await evaluate('channel_down'), []);
    await rejectKey(store, { channel_id: 'a', key_id: 'k2' });
    assert.equal((await evaluate('key_rejected')).length, 2);
    assert.equal((await evaluate('channel_down'))[0]?.detail, 'No key works. 401: no such key.');
    await rejectKey(store, { channel_id: 'a', key_id: 'k1', out_since: null, out_until: null });
    assert.deepEqual(shown(await evaluate('key_rejected')), ['a/k2: A rejects the key sk-…k2']);
    assert.deepEqual(await evaluate('channel_down'), []);
  });

  test('error_rate counts server errors of live requests by model, and waits until it has been calm', async () => {
    const store = await open();
    const evaluate = evaluator(store);
    const add = (count: number, request: object) =>
      store.transaction(async (transaction) => {
        for (let left = count; left > 0; left--) {
          const id = makeOrderedId('req', NOW * 1000);
          await transaction
            .insertInto('requests')
            .values(requestRow({ id, created_at: NOW - 60, ...request }))
            .execute();
        }
      });
    await add(16, { model: 'bad', status: 200 });
    await add(100, { model: 'bad', status: 400 });
    await add(3, { model: 'bad', status: 502 });
    await add(30, { model: 'tested', status: 502, mode: 'test' });
    await add(30, { model: 'old', status: 502, created_at: NOW - 301 });
    await add(19, { model: 'few', status: 502 });
    assert.deepEqual(await evaluate('error_rate'), []);
    await add(1, { model: 'bad', status: 502 });
    assert.deepEqual(shown(await evaluate('error_rate')), ['bad: 20 % of the requests for bad fail']);
    assert.equal((await evaluate('error_rate', { now: NOW + 600 })).length, 1);
    assert.equal((await evaluate('error_rate', { now: NOW + 659 })).length, 1);
    assert.equal((await evaluate('error_rate', { now: NOW + 660 })).length, 0);
  });

  test('balance_low looks at the pace of the last day, and at a fixed amount where one is set', async () => {
    const store = await open();
    const evaluate = evaluator(store);
    const balances = { empty: -1n, low: 2n * UNIT, fine: 3n * UNIT, idle: 1n * UNIT };
    for (const [id, balance] of Object.entries(balances)) await addAccount(store, { id, balance });
    await addAccount(store, { id: 'off', balance: 0n, status: 'disabled' });
    for (const account_id of ['empty', 'low', 'fine', 'off']) {
      await addUsage(store, { account_id, bucket: HOUR - 3600, amount: UNIT });
      await addUsage(store, { account_id, bucket: HOUR - 26 * 3600, amount: 100n * UNIT });
      await addUsage(store, { account_id, bucket: HOUR, amount: 100n * UNIT, mode: 'test' });
    }
    assert.deepEqual(shown(await evaluate('balance_low')), [
      'empty: empty has no balance left',
      'low: The balance of low is low',
    ]);
    await set(store, 'balance_low', { days: 1, amount: 1.5 });
    assert.deepEqual(shown(await evaluate('balance_low')), [
      'empty: empty has no balance left',
      'idle: The balance of idle is low',
    ]);
    await set(store, 'balance_low', {}, 0);
    assert.deepEqual(await evaluate('balance_low'), []);
  });

  test('budget_used forgets a period that is over', async () => {
    const store = await open();
    const evaluate = evaluator(store);
    const budget = { budget: 10n * UNIT, budget_period: 'day', budget_start: NOW - (NOW % 86_400) } as const;
    await addAccount(store, { id: 'near', ...budget, budget_used: 9n * UNIT });
    await addAccount(store, { id: 'far', ...budget, budget_used: 9n * UNIT - 1n });
    await addAccount(store, { id: 'none', budget_used: 9n * UNIT });
    assert.deepEqual(shown(await evaluate('budget_used')), ['near: near has used 90 % of its budget of this day']);
    assert.deepEqual(await evaluate('budget_used', { now: NOW + 86_400 }), []);
  });

  test('spend_spike compares an hour with a mean hour of seven days', async () => {
    const store = await open();
    const evaluate = evaluator(store);
    for (const id of ['steady', 'spike', 'new', 'small']) await addAccount(store, { id });
    for (const account_id of ['steady', 'spike'])
      await addUsage(store, { account_id, bucket: HOUR - 48 * 3600, amount: 168n * 4n * UNIT });
    await addUsage(store, { account_id: 'steady', bucket: HOUR, amount: 20n * UNIT - 1n });
    await addUsage(store, { account_id: 'spike', bucket: HOUR - 3600, amount: 20n * UNIT });
    await addUsage(store, { account_id: 'new', bucket: HOUR, amount: 10n * UNIT });
    await addUsage(store, { account_id: 'small', bucket: HOUR, amount: 10n * UNIT - 1n });
    assert.deepEqual(shown(await evaluate('spend_spike')), [
      'new: new spends far more than usual',
      'spike: spike spends far more than usual',
    ]);
  });

  test('task_backlog opens for stuck tasks and for too many', async () => {
    const store = await open();
    const evaluate = evaluator(store);
    const add = (id: string, created_at: number) =>
      store.transaction((transaction) =>
        transaction
          .insertInto('tasks')
          .values(taskRow({ id, created_at, state: 'IN_PROGRESS' }))
          .execute(),
      );
    await add('task_1', NOW - 60);
    assert.deepEqual(await evaluate('task_backlog'), []);
    await add('task_2', NOW - 3_700);
    await set(store, 'task_backlog', { tasks: 2 });
    assert.deepEqual(shown(await evaluate('task_backlog')), [
      'stuck: A video task is stuck',
      'unfinished: 2 video tasks are unfinished',
    ]);
  });

  test('store_slow needs several slow writes', async () => {
    const evaluate = evaluator(await open());
    assert.deepEqual(await evaluate('store_slow', { writeTimes: [5_000, 3, 4] }), []);
    assert.equal((await evaluate('store_slow', { writeTimes: [5_000, 3, 2_000] }))[0]?.title, 'The database is slow');
  });

  test('model_retires warns as many days before as is set (issue 32)', async () => {
    const store = await open();
    const evaluate = evaluator(store);
    const add = (id: string, days: number, enabled = 1) =>
      store.transaction((transaction) =>
        transaction
          .insertInto('models')
          .values({
            id,
            owned_by: 'x',
            endpoint_types: '[]',
            price: null,
            enabled,
            flag: null,
            max_output_tokens: null,
            pass_unpriced: null,
            retires_at: NOW + days * 86_400,
            sandbox: 0,
            created: NOW,
          })
          .execute(),
      );
    await add('soon', 14);
    await add('later', 15);
    await add('off', 1, 0);
    await add('gone', -1);
    const day = (days: number) => new Date((NOW + days * 86_400) * 1000).toISOString().slice(0, 10);
    assert.deepEqual(shown(await evaluate('model_retires')), [
      `gone: gone was retired on ${day(-1)}`,
      `soon: soon retires on ${day(14)}`,
    ]);
  });
});
