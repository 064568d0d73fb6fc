import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CompiledQuery } from 'kysely';
import { addAccount, addToken } from '../../testing/fixtures.ts';
import { firstIdAt } from '../../shared/ids.ts';
import { onEveryStore } from '../../testing/stores.ts';
import { requestRow, taskEnd, taskHold, taskRow } from '../../testing/task-rows.ts';
import { Sweeper } from '../../billing/sweeper.ts';
import type { Store } from '../store.ts';
import { listLedger } from './ledger.ts';
import { heartbeat } from './processes.ts';
import { findRequest } from './requests.ts';
import { type Claim, claimTasks } from './claim-tasks.ts';
import {
  changeFinishedTask,
  claimUnarchived,
  countLiveTasks,
  findOwnTask,
  findTask,
  listTaskEvents,
  listTasks,
  markArchived,
  unarchived,
} from './tasks.ts';

const DUE = 1_760_000_001_000;

async function balance(store: Store): Promise<bigint> {
  const row = await store.reads.selectFrom('accounts').select('balance').where('id', '=', 'acc').executeTakeFirst();
  return row?.balance ?? -1n;
}

async function claimOf(store: Store, owner: string, claim: Partial<Claim> = {}): Promise<Claim> {
  const now = await store.now();
  return {
    owner,
    dueAt: DUE,
    now,
    leaseSeconds: 60,
    silence: 10,
    capacity: new Map(),
    capacityPerChannel: 64,
    limit: 10,
    ...claim,
  };
}

onEveryStore((open) => {
  const openWithMoney = async (): Promise<Store> => {
    const store = await open();
    await addAccount(store, { id: 'acc', balance: 1_000n });
    await addToken(store, { id: 'tok', account_id: 'acc' });
    return store;
  };

  test('hold and row of a task are made together, or neither (promises 1.7)', async () => {
    const store = await openWithMoney();
    assert.equal(await store.commit(taskHold(taskRow({ id: 'task_1', hold: 400n }))), 'held');
    assert.equal(await store.commit(taskHold(taskRow({ id: 'task_2', hold: 700n }))), 'balance_too_low');
    const [row, missing] = [await findTask(store.reads, 'task_1'), await findTask(store.reads, 'task_2')];
    assert.deepEqual([row?.hold, row?.state, missing, await balance(store)], [400n, 'CREATED', undefined, 600n]);
    const [entry] = await listLedger(store.reads, { taskId: 'task_1', limit: 5 });
    assert.deepEqual([entry?.kind, entry?.request_id, entry?.task_id, entry?.amount], ['hold', null, 'task_1', 400n]);
  });

  test('the end of a task and its money are one transaction, once, and only from the version that was read', async () => {
    const store = await openWithMoney();
    const row = taskRow({ id: 'task_1', hold: 400n });
    await store.commit(taskHold(row));
    const moved = { ...row, version: 2, state: 'QUEUED' as const };
    assert.equal(await store.commit({ kind: 'move', row: moved, isEvent: true, request: null }), 'moved');
    assert.equal(await store.commit({ kind: 'move', row: moved, isEvent: true, request: null }), 'stale');

    assert.equal(await store.commit(taskEnd(row, 250n)), 'stale'); // who paused since version 1 writes nothing
    assert.equal((await findTask(store.reads, 'task_1'))?.state, 'QUEUED');
    assert.equal(await balance(store), 600n);

    const ends = await Promise.all([
      store.commit(taskEnd(moved, 250n)),
      store.commit(taskEnd(moved, null)),
      store.commit(taskEnd(moved, 250n)),
    ]);
    assert.deepEqual(ends.sort(), ['settled', 'stale', 'stale']); // only one of them has ended it
    const ended = await findTask(store.reads, 'task_1');
    assert.deepEqual([ended?.state, ended?.charge, ended?.version, await balance(store)], ['SUCCESS', 250n, 3, 750n]);
    const late = { ...moved, version: 4 };
    assert.equal(await store.commit({ kind: 'move', row: late, isEvent: true, request: null }), 'stale');
    const statuses = (await listTaskEvents(store.reads, ['task_1'])).map(({ status }) => status);
    assert.deepEqual(statuses, ['SUBMITTED', 'QUEUED', 'SUCCESS']);
    const kinds = (await listLedger(store.reads, { taskId: 'task_1', limit: 9 })).map(({ kind }) => kind);
    assert.deepEqual(kinds.sort(), ['hold', 'release', 'settle']);
  });

  test('the charge of a task gets into the line that its request already has in the log', async () => {
    const store = await openWithMoney();
    const row = taskRow({ id: 'task_1' });
    await store.commit(taskHold(row));
    const entry = { ...requestRow('req_1'), attempts: '[{}]', first_byte_ms: 1, total_ms: 2 };
    const moved = { ...row, version: 2 };
    await store.commit({ kind: 'move', row: moved, isEvent: false, request: entry });
    const charged = { ...entry, attempts: '[]', charge: 60n, arithmetic: '6 seconds x 10', usage: '{"seconds":6}' };
    const line = () =>
      store.reads.selectFrom('requests').selectAll().where('id', '=', 'req_1').executeTakeFirstOrThrow();
    const { change: before } = await line();
    await store.commit({ ...taskEnd(moved, 60n), request: charged });
    const { change, ...logged } = await line();
    assert.ok(change > before, 'an export finds that it has changed (contract-2 12)');
    assert.deepEqual(logged, {
      ...entry,
      reason: null,
      charge: 60n,
      arithmetic: '6 seconds x 10',
      usage: '{"seconds":6}',
    });
  });

  test('task and log tell the charge that was booked, also when the token cannot take it all', async () => {
    const store = await openWithMoney();
    const [first, second] = [taskRow({ id: 'task_1' }), taskRow({ id: 'task_2' })];
    for (const row of [first, second]) await store.commit(taskHold(row));
    await store.commit(taskEnd(first, 2n ** 61n));
    const most = 2n ** 62n;
    const end = taskEnd(second, most);
    await store.commit({ ...end, request: { ...requestRow(second.request_id), charge: most } });
    const [settled] = (await listLedger(store.reads, { taskId: 'task_2', limit: 9 })).filter(
      ({ kind }) => kind === 'settle',
    );
    const entry = await findRequest(store.reads, second.request_id);
    assert.equal(settled?.amount, 2n ** 61n);
    assert.deepEqual([(await findTask(store.reads, 'task_2'))?.charge, entry?.charge], [2n ** 61n, 2n ** 61n]);
  });

  test('what others wrote never makes the end of a task unwritable', async () => {
    const store = await openWithMoney();
    const row = taskRow({ id: 'task_1' });
    await store.commit(taskHold(row));
    const end = taskEnd(row, null);
    const fields = { fail_reason: 'no\0 \ud83d', error_code: 'a\0', result_url: 'https://r.test/\udc00' };
    const task = { delivery: null, row: { ...row, ...end.task?.row, ...fields } };
    assert.equal(await store.commit({ ...end, task }), 'released');
    assert.equal((await findTask(store.reads, 'task_1'))?.state, 'FAILURE');
  });

  test('an id that cannot be one is not found, whatever it holds', async () => {
    const store = await openWithMoney();
    for (const id of ['task_\0', 'task_\ud800', '', "'", 'x'.repeat(1_000)]) {
      assert.equal(await findTask(store.reads, id), undefined);
      assert.equal(await findOwnTask(store.reads, 'acc', id), undefined);
    }
  });

  test("a dead process's tasks keep their holds: only the task's end moves the money", async () => {
    const store = await openWithMoney();
    await store.commit(taskHold(taskRow({ id: 'task_1' })));
    const sweeper = new Sweeper({ store, processId: 'proc_b', onError: assert.fail, onSwept: () => {} });
    assert.equal(await sweeper.sweep(), 0);
    assert.equal(await balance(store), 900n);
  });

  test('a due task is claimed by one process, again when its lease or its process is over, and never early', async () => {
    const store = await openWithMoney();
    await heartbeat(store, 'proc_a');
    await heartbeat(store, 'proc_b');
    for (const id of ['task_1', 'task_2', 'task_3']) await store.commit(taskHold(taskRow({ id, channel_id: 'ch' })));
    await store.commit(taskHold(taskRow({ id: 'task_4', next_poll_at: DUE + 1 })));
    const [a, b] = await Promise.all([
      claimTasks(store, await claimOf(store, 'proc_a', { limit: 2 })),
      claimTasks(store, await claimOf(store, 'proc_b')),
    ]);
    assert.deepEqual([...a, ...b].map(({ id }) => id).sort(), ['task_1', 'task_2', 'task_3']);
    assert.ok([...a, ...b].every(({ version }) => version === 2));
    assert.deepEqual(await claimTasks(store, await claimOf(store, 'proc_b')), []);

    const now = (await store.now()) + 61;
    await heartbeat(store, 'proc_b');
    const late = await claimTasks(store, await claimOf(store, 'proc_b', { now, silence: 120, limit: 1 }));
    assert.equal(late.length, 1); // the lease is over, though its owner lives
    assert.equal(late[0]?.version, 3);
    await store.transaction((transaction) => transaction.deleteFrom('processes').where('id', '=', 'proc_a').execute());
    const orphans = await claimTasks(store, await claimOf(store, 'proc_b', { capacity: new Map([['other', 0]]) }));
    assert.ok(orphans.every(({ lease_owner }) => lease_owner === 'proc_b'));
    assert.deepEqual(
      await claimTasks(store, await claimOf(store, 'proc_b', { now: now + 200, capacity: new Map([['ch', 0]]) })),
      [],
    );
    assert.equal(await countLiveTasks(store.reads), 4);
  });

  test('no channel gets more of one round than it has room for, and the others are not kept waiting by it', async () => {
    const store = await openWithMoney();
    await heartbeat(store, 'proc_a');
    for (let index = 0; index < 6; index++)
      await store.commit(
        taskHold(taskRow({ id: `task_a${index}`, channel_id: 'busy', hold: 1n, next_poll_at: DUE - 100 + index })),
      );
    for (let index = 0; index < 6; index++)
      await store.commit(
        taskHold(taskRow({ id: `task_b${index}`, channel_id: 'idle', hold: 1n, next_poll_at: DUE - 50 + index })),
      );
    const claim = { capacity: new Map([['busy', 2]]), capacityPerChannel: 3, limit: 10 };
    const ids = async () => (await claimTasks(store, await claimOf(store, 'proc_a', claim))).map(({ id }) => id).sort();
    assert.deepEqual(await ids(), ['task_a0', 'task_a1', 'task_b0', 'task_b1', 'task_b2']);
    assert.deepEqual(await ids(), ['task_a2', 'task_a3', 'task_b3', 'task_b4', 'task_b5']);
  });

  test('a video is one process’s to copy until its lease is over, and not when its owner has removed it', async () => {
    const store = await openWithMoney();
    const row = taskRow({ id: 'task_1', channel_id: 'ch' });
    await store.commit(taskHold(row));
    await store.commit(taskEnd(row, 5n));
    const claim = { channelIds: ['ch'], since: 0, now: 1_000, leaseSeconds: 60 };
    assert.equal(await claimUnarchived(store, { ...claim, channelIds: ['other'] }), undefined);
    const claims = await Promise.all([claimUnarchived(store, claim), claimUnarchived(store, claim)]);
    assert.deepEqual(
      claims.flatMap((claim) => claim?.archive_tries ?? []),
      [1],
    );
    assert.equal((await claimUnarchived(store, { ...claim, now: 1_060 }))?.archive_tries, 2);
    await changeFinishedTask(store, 'task_1', { deleted_at: 7 });
    assert.equal(await claimUnarchived(store, { ...claim, now: 9_999 }), undefined);
    assert.equal(await markArchived(store, 'task_1'), false);
    assert.equal((await findTask(store.reads, 'task_1'))?.archived, 0);
  });

  test('videos to be copied are looked for among those of late, not among all that were ever made', async () => {
    const store = await open();
    if (store.dialect !== 'sqlite') return;
    const claim = { channelIds: ['ch'], since: 0, now: 1_000, leaseSeconds: 60 };
    const { sql: text, parameters } = unarchived(store.reads, claim).orderBy('completed_at').limit(1).compile();
    const explained = CompiledQuery.raw(`explain query plan ${text}`, [...parameters]);
    const { rows } = await store.lists.executeQuery<{ detail: string }>(explained);
    assert.deepEqual(
      rows.map(({ detail }) => detail),
      ['SEARCH tasks USING INDEX tasks_by_end (completed_at>?)'],
    );
  });

  test('operators list tasks by token and time', async () => {
    const store = await openWithMoney();
    await addToken(store, { id: 'tok_2', account_id: 'acc' });
    const [one, two] = [firstIdAt('task', 100_000), firstIdAt('task', 200_000)];
    await store.commit(taskHold(taskRow({ id: one, created_at: 100 })));
    await store.commit(taskHold(taskRow({ id: two, created_at: 200, token_id: 'tok_2' })));
    const ids = async (listing: object) => (await listTasks(store.reads, { limit: 9, ...listing })).map(({ id }) => id);
    assert.deepEqual(await ids({ tokenId: 'tok_2' }), [two]);
    assert.deepEqual(await ids({ from: 100, to: 200 }), [one]);
    assert.deepEqual(await ids({ from: 101 }), [two]);
    assert.deepEqual(await ids({ from: 9_999 }), []);
  });

  test('a task is found and listed by its account alone, and no more once it is removed', async () => {
    const store = await openWithMoney();
    for (const id of ['task_1', 'task_2', 'task_3']) await store.commit(taskHold(taskRow({ id, model: id })));
    await store.commit(taskHold(taskRow({ id: 'task_4', deleted_at: 5 })));
    assert.equal((await findOwnTask(store.reads, 'acc', 'task_1'))?.id, 'task_1');
    assert.equal(await findOwnTask(store.reads, 'other', 'task_1'), undefined);
    assert.equal(await findOwnTask(store.reads, 'acc', 'task_4'), undefined);
    const ids = async (listing: object) =>
      (await listTasks(store.reads, { accountId: 'acc', limit: 10, ...listing })).map(({ id }) => id);
    assert.deepEqual(await ids({}), ['task_3', 'task_2', 'task_1']);
    assert.deepEqual(await ids({ order: 'asc', after: 'task_1', limit: 1 }), ['task_2']);
    assert.deepEqual(await ids({ withDeleted: true, model: 'video-1', states: ['CREATED'] }), ['task_4']);
  });
});
