import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { TaskRow } from '../../store/queries/tasks.ts';
import { addAccount, addToken } from '../../testing/fixtures.ts';
import { onEveryStore } from '../../testing/stores.ts';
import { taskEnd, taskHold, taskRow } from '../../testing/task-rows.ts';
import { makeOperatorApp } from '../testing/operator-app.ts';

const NOW = 1_760_000_000;

onEveryStore((open) => {
  test('live tasks that need somebody are found, with the reason', async () => {
    const store = await open();
    const { call } = await makeOperatorApp(store);
    await addAccount(store, { id: 'acc', balance: 10_000n });
    await addToken(store, { id: 'tok', account_id: 'acc' });
    const rows: Partial<TaskRow>[] = [
      { id: 'task_fine', state: 'QUEUED', poll_failures: 4 },
      { id: 'task_lost', state: 'SUBMIT_UNKNOWN' },
      { id: 'task_mute', state: 'IN_PROGRESS', poll_failures: 5 },
      { id: 'task_late', state: 'IN_PROGRESS', created_at: NOW - 3_601 },
      { id: 'task_over', state: 'IN_PROGRESS', created_at: NOW - 9_000, poll_failures: 9 },
    ];
    for (const row of rows) await store.commit(taskHold(taskRow({ id: '', ...row })));
    await store.commit(taskEnd(taskRow({ id: '', ...rows[4] }), 70n));
    const list = async (query: string) =>
      (await call('GET', `/tasks?${query}`)).body.data
        .map((task: { id: string; stuck: string | null }) => `${task.id.slice(5)} ${task.stuck}`)
        .toSorted();
    assert.deepEqual(await list('stuck=true'), ['late late', 'lost submit_unknown', 'mute not_answering']);
    assert.deepEqual(await list('live=true&status=QUEUED'), ['fine null']);
    assert.equal((await list('live=true')).length, 4);
    assert.deepEqual(await list('status=SUCCESS&token_id=tok'), ['over null']);
    assert.deepEqual(await list('token_id=other'), []);
    assert.equal((await call('GET', '/tasks/task_late')).body.stuck, 'late');
    assert.equal((await call('GET', '/tasks?stuck=false')).body.error.param, 'stuck');
  });

  test('the video goes out as the gateway has it, with the range that was asked for', async () => {
    const requests: unknown[] = [];
    const { call, bare } = await makeOperatorApp(await open(), {
      async videoContent({ id, asked: { range, ifRange } }) {
        requests.push([id, range, ifRange]);
        if (id !== 'task_1') throw new GatewayError('task_not_finished');
        const headers = { 'content-type': 'video/mp4', 'content-range': 'bytes 1-2/4', 'cache-control': 'private' };
        return { status: 206, headers, body: Readable.from([Buffer.from('bc')]) };
      },
    });
    const answer = await call('GET', '/tasks/task_1/content', undefined, { range: 'bytes=1-2', 'if-range': '"x"' });
    assert.deepEqual([answer.status, answer.body], [206, 'bc']);
    assert.equal(answer.headers['content-range'], 'bytes 1-2/4');
    assert.equal(answer.headers['cache-control'], 'private');
    const head = await call('HEAD', '/tasks/task_1/content');
    assert.deepEqual([head.status, head.body, head.headers['content-type']], [206, '', 'video/mp4']);
    assert.deepEqual(requests[0], ['task_1', 'bytes=1-2', '"x"']);
    const early = await call('GET', '/tasks/task_2/content');
    assert.deepEqual([early.status, early.body.error.code], [409, 'task_not_finished']);
    assert.equal((await bare('GET', '/tasks/task_1/content')).status, 401);
    assert.equal(requests.length, 3);
  });
});
