import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { VideoReport } from '../neutral/video.ts';
import type { VideoProvider } from '../providers/video-provider.ts';
import { findProvider } from '../providers/registry.ts';
import { listLedger } from '../store/queries/ledger.ts';
import { findTask, type TaskRow } from '../store/queries/tasks.ts';
import { openSqlite } from '../testing/sqlite-store.ts';
import { makeTaskDependencies } from '../testing/task-dependencies.ts';
import { requestRow, taskHold, taskRow } from '../testing/task-rows.ts';
import { failTask, moveTask, succeedTask } from './settle-task.ts';
import { addAccount, addToken } from '../testing/fixtures.ts';
import { onEveryStore } from '../testing/stores.ts';

/** 1,000 nano-units a token. */
const PRICE = '{"price":{"unit":"video_tokens","generate":"1","video_input":"1"},"multiplier":"1"}';
const resultUrl = 'https://cdn.example/v.mp4';
const NO_REPORT: VideoReport['reported'] = {};

const betaVideo = (): Pick<VideoProvider, 'charged'> =>
  findProvider('beta-video')?.video ?? assert.fail('no such provider');

async function prepare(t: TestContext, more: Partial<TaskRow> = {}) {
  const store = await openSqlite(t);
  const dependencies = await makeTaskDependencies(store, 'http://nobody.example');
  t.after(() => dependencies.end());
  const ended: unknown[] = [];
  let deliveries = 0;
  const metrics = Object.assign(dependencies.metrics, {
    taskEnded: ({ status, charge }: { status: string; charge: bigint }) => void ended.push([status, charge]),
  });
  const at = Math.floor(dependencies.clock.ms / 1000);
  const row = taskRow({
    id: 'task_1',
    channel_id: 'ch',
    key_id: 'key',
    upstream_id: 'up-1',
    state: 'SUBMITTED',
    sent: '{"tokens":90,"tier":"generate"}',
    sent_at: at,
    upstream_model: 'upstream-model',
    hold: 100_000n,
    price: PRICE,
    created_at: at,
    updated_at: at,
    ...more,
  });
  assert.equal(await store.commit(taskHold(row)), 'held');
  return {
    dependencies: { ...dependencies, metrics, onDelivery: () => void deliveries++ },
    row,
    ended,
    deliveries: () => deliveries,
    stored: async () => (await findTask(store.reads, 'task_1')) ?? assert.fail('no task'),
    kinds: async () =>
      (await listLedger(store.reads, { taskId: 'task_1', limit: 9 }))
        .map(({ kind, amount }) => `${kind} ${amount}`)
        .reverse(),
    logged: () => store.reads.selectFrom('requests').selectAll().executeTakeFirst(),
    webhooks: () => store.reads.selectFrom('webhook_deliveries').selectAll().execute(),
  };
}

test('a success is charged by what the provider counted: state, money and log line in one commit (promises M-16, V-03)', async (t) => {
  const world = await prepare(t);
  const end = { resultUrl, reported: { tokens: 30 }, video: betaVideo() };
  assert.equal(await succeedTask(world.dependencies, world.row, end), 'settled');
  const { state, charge, result_url, progress, completed_at } = await world.stored();
  assert.deepEqual([state, charge, result_url, progress], ['SUCCESS', 30_000n, resultUrl, 100]);
  assert.ok(completed_at !== null);
  assert.deepEqual(await world.kinds(), ['hold 100000', 'settle 30000', 'release 70000']);
  const line = await world.logged();
  assert.deepEqual([line?.charge, line?.usage_source], [30_000n, 'upstream']);
  assert.deepEqual(world.ended, [['SUCCESS', 30_000n]]);
});

test('the second end changes nothing and is not counted, whichever it is (promises V-03, V-04)', async (t) => {
  const world = await prepare(t);
  const end = { resultUrl, reported: { tokens: 30 }, video: betaVideo() };
  await succeedTask(world.dependencies, world.row, end);
  const before = await world.stored();
  const failed = await failTask(world.dependencies, world.row, { reason: 'late', code: 'x' });
  const dearer = await succeedTask(world.dependencies, world.row, { ...end, reported: { tokens: 80 } });
  assert.deepEqual([failed, dearer], ['stale', 'stale']);
  assert.deepEqual([world.ended, world.deliveries()], [[['SUCCESS', 30_000n]], 0], 'metrics and webhooks of one end');
  assert.deepEqual(await world.stored(), before);
  assert.deepEqual(await world.kinds(), ['hold 100000', 'settle 30000', 'release 70000']);
});

test('an end of a row that somebody else has changed since writes nothing (promise V-03)', async (t) => {
  const world = await prepare(t);
  const stale = { ...world.row, version: world.row.version - 1 };
  assert.equal(await failTask(world.dependencies, stale, { reason: 'late', code: 'x' }), 'stale');
  assert.deepEqual(await world.kinds(), ['hold 100000']);
  assert.deepEqual([(await world.stored()).state, world.ended], ['SUBMITTED', []]);
});

test('a failure gives the whole hold back with the state, and says why (promise V-04)', async (t) => {
  const world = await prepare(t);
  const reason = 'x'.repeat(5_000);
  assert.equal(await failTask(world.dependencies, world.row, { reason, code: 'content_policy' }), 'released');
  const { state, charge, fail_reason, error_code, deleted_at } = await world.stored();
  assert.deepEqual([state, charge, error_code, deleted_at], ['FAILURE', 0n, 'content_policy', null]);
  assert.ok((fail_reason ?? '').length <= 2_000);
  assert.deepEqual(await world.kinds(), ['hold 100000', 'release 100000']);
  assert.equal((await world.logged())?.arithmetic, 'failed (content_policy): 0');
  assert.deepEqual(world.ended, [['FAILURE', 0n]]);
});

test('a submit that nobody took is hidden from its owner, with the line of the submit in the log', async (t) => {
  const world = await prepare(t);
  const request = { ...requestRow(world.row.request_id), status: 502, error_code: 'upstream_error' };
  const end = { reason: 'no', code: 'upstream_error', isRemoved: true, wasNotTaken: true, request };
  await failTask(world.dependencies, world.row, end);
  const { deleted_at, upstream_model, sent_at } = await world.stored();
  assert.deepEqual([deleted_at !== null, upstream_model, sent_at], [true, null, null]);
  assert.equal((await world.logged())?.status, 502);
});

test('a success without a report is charged what was asked for, and flagged as an estimate (promise M-09)', async (t) => {
  const world = await prepare(t);
  await succeedTask(world.dependencies, world.row, { resultUrl, reported: NO_REPORT, video: betaVideo() });
  const line = await world.logged();
  assert.deepEqual([line?.charge, line?.usage_source], [90_000n, 'estimated']);
});

test('a count that cannot be true is not believed, and is reported (promise M-10)', async (t) => {
  const world = await prepare(t);
  await succeedTask(world.dependencies, world.row, { resultUrl, reported: { tokens: 1e15 }, video: betaVideo() });
  const { charge } = await world.stored();
  assert.ok(charge !== null && charge <= 100_000n, String(charge));
  assert.match(String(world.dependencies.errors[0]), /not believed/);
});

test('the webhook event is written with the end, and its sender woken', async (t) => {
  const world = await prepare(t);
  await world.dependencies.store.transaction((transaction) =>
    transaction
      .insertInto('webhooks')
      .values({ account_id: 'acc', url: 'https://hook.example/x', secret: 'x', created_at: 0 })
      .execute(),
  );
  await failTask(world.dependencies, world.row, { reason: 'no', code: 'x' });
  assert.deepEqual([(await world.webhooks()).length, world.deliveries()], [1, 1]);
  const none = await prepare(t);
  await failTask(none.dependencies, none.row, { reason: 'no', code: 'x' });
  assert.deepEqual([(await none.webhooks()).length, none.deliveries()], [0, 0]);
});

onEveryStore((open) => {
  test('a move that is sent again after a lost answer is known again; another one from the same version is not', async () => {
    const store = await open();
    await addAccount(store, { id: 'acc', balance: 1_000n });
    await addToken(store, { id: 'tok', account_id: 'acc' });
    const task = taskRow({ id: 'task_1' });
    await store.commit(taskHold(task));
    const dependencies = { store, clock: { now: () => 5_000 } };
    const changes = { state: 'SUBMITTING', channel_id: 'ch', key_id: 'key', lease_owner: 'proc_a' } as const;
    const move = async (wanted: Partial<TaskRow>) => (await moveTask(dependencies, task, { changes: wanted })).isMoved;
    assert.deepEqual([await move(changes), await move(changes)], [true, true]);
    assert.equal(await move({ ...changes, lease_owner: 'proc_b' }), false);
    assert.equal((await findTask(store.reads, 'task_1'))?.lease_owner, 'proc_a');
  });
});
