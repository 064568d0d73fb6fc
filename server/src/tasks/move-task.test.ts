import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findTask } from '../store/queries/tasks.ts';
import { addAccount, addToken } from '../testing/fixtures.ts';
import { onEveryStore } from '../testing/stores.ts';
import { taskHold, taskRow } from '../testing/task-rows.ts';
import { moveTask } from './move-task.ts';
import { changedTask } from './task.ts';

onEveryStore((open) => {
  test('a move that is sent again after a lost answer is known again; another one from the same version is not', async () => {
    const store = await open();
    await addAccount(store, { id: 'acc', balance: 1_000n });
    await addToken(store, { id: 'tok', account_id: 'acc' });
    const task = taskRow({ id: 'task_1' });
    await store.commit(taskHold(task));
    const row = changedTask(task, { state: 'SUBMITTING', channel_id: 'ch', key_id: 'key', lease_owner: 'proc_a' }, 5);
    const move = { row, isEvent: false, request: null };
    assert.deepEqual([await moveTask({ store }, move), await moveTask({ store }, move)], [true, true]);
    const other = { ...row, lease_owner: 'proc_b' };
    assert.equal(await moveTask({ store }, { ...move, row: other }), false);
    assert.equal((await findTask(store.reads, 'task_1'))?.lease_owner, 'proc_a');
  });
});
