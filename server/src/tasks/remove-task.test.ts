import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { findRequest } from '../store/queries/requests.ts';
import { onEveryStore } from '../testing/stores.ts';
import { type Answer, makeTaskWorld, OWNER, says, succeeded } from '../testing/task-world.ts';
import { pollTask } from './poll/poll-task.ts';
import { removeTask } from './remove-task.ts';

const running = says(200, { status: 'running' });
const never = new AbortController().signal;

onEveryStore((open) => {
  const prepare = async (t: TestContext, answer: { now: Answer }) => makeTaskWorld(t, await open(), answer);

  test('a video that the provider finished before it was removed is charged, and its record is not deleted', async (t) => {
    const { dependencies, requests, add, stored, kinds } = await prepare(t, { now: succeeded });
    await add('task_1');
    await removeTask(dependencies, OWNER, 'task_1');
    const { state, charge, deleted_at } = await stored('task_1');
    assert.deepEqual([state, charge, deleted_at !== null], ['SUCCESS', 30_000n, true]);
    assert.deepEqual(await kinds('task_1'), ['hold 100000', 'settle 30000', 'release 70000']);
    assert.deepEqual(requests, ['GET /api/v3/contents/generations/tasks/up-task_1']);
  });

  test('a video that is finished between the look and a refused cancel is charged too', async (t) => {
    const answers = [running, says(409, { error: { code: 'OperationDenied', message: 'no' } }), succeeded];
    const { dependencies, add, stored } = await prepare(t, { now: (...exchange) => answers.shift()?.(...exchange) });
    await add('task_1');
    await removeTask(dependencies, OWNER, 'task_1');
    assert.deepEqual([(await stored('task_1')).state, answers], ['SUCCESS', []]);
  });

  test('a live one stays as it is when a test token asks, which reaches no real provider (contract 5)', async (t) => {
    const { dependencies, requests, add, stored } = await prepare(t, { now: running });
    await add('task_1');
    const before = await stored('task_1');
    await assert.rejects(removeTask(dependencies, { ...OWNER, mode: 'test' }, 'task_1'), { code: 'task_not_found' });
    assert.deepEqual([await stored('task_1'), requests], [before, []]);
  });

  test('one that waits is cancelled and released, and the log says how', async (t) => {
    const { dependencies, requests, add, stored, kinds } = await prepare(t, { now: running });
    await add('task_1');
    await removeTask(dependencies, OWNER, 'task_1');
    assert.deepEqual([(await stored('task_1')).error_code, requests.length], ['task_cancelled', 2]);
    assert.equal(requests[1], 'DELETE /api/v3/contents/generations/tasks/up-task_1');
    assert.deepEqual(await kinds('task_1'), ['hold 100000', 'release 100000']);
    assert.equal((await findRequest(dependencies.store.reads, 'req_task_1'))?.arithmetic, 'failed (task_cancelled): 0');
  });

  test('one that the poller finds cancelled before we have said so is a cancelled one', async (t) => {
    const answer = { now: running };
    const { dependencies, add, stored, kinds } = await prepare(t, answer);
    await add('task_1');
    const before = await stored('task_1');
    answer.now = (response, request) => {
      if (request.method !== 'DELETE') return running(response, request);
      answer.now = says(200, { status: 'cancelled' });
      void pollTask(dependencies, before, never).then(() => says(200, {})(response, request));
    };
    await removeTask(dependencies, OWNER, 'task_1');
    const { state, error_code, fail_reason, deleted_at } = await stored('task_1');
    assert.deepEqual(
      [state, error_code, fail_reason, deleted_at !== null],
      ['FAILURE', 'task_cancelled', 'The task was cancelled.', true],
    );
    assert.deepEqual(await kinds('task_1'), ['hold 100000', 'release 100000']);
  });

  for (const [outcome, last, end] of [
    ['charged', succeeded, ['SUCCESS', 30_000n]],
    ['cancelled', running, ['FAILURE', 0n]],
  ] as const)
    test(`one whose provider cannot be asked is hidden at once, and ${outcome} when it can be again`, async (t) => {
      const answer = { now: says(503, {}) };
      const { dependencies, requests, add, stored } = await prepare(t, answer);
      await add('task_1');
      await removeTask(dependencies, OWNER, 'task_1');
      await assert.rejects(removeTask(dependencies, OWNER, 'task_1'), { code: 'task_not_found' });
      const hidden = await stored('task_1');
      assert.deepEqual([hidden.state, hidden.completed_at], ['SUBMITTED', null]);
      assert.ok(!requests.some((request) => request.startsWith('DELETE')), 'its usage is not thrown away unread');
      await pollTask(dependencies, hidden, never);
      assert.equal((await stored('task_1')).completed_at, null);
      answer.now = last;
      await pollTask(dependencies, await stored('task_1'), never);
      const { state, charge } = await stored('task_1');
      assert.deepEqual([state, charge], end);
    });

  test('one that cannot be cancelled, and whose video the provider sends to the caller itself, is charged when it is made', async (t) => {
    const refusal = says(409, { error: { code: 'OperationDenied', message: 'it runs' } });
    const answer: { now: Answer } = {
      now: (response, request) => (request.method === 'DELETE' ? refusal : running)(response, request),
    };
    const { dependencies, add, stored, kinds } = await prepare(t, answer);
    await add('task_1', { sent: '{"tokens":90,"tier":"generate","callsBack":true}' });
    await removeTask(dependencies, OWNER, 'task_1');
    await assert.rejects(removeTask(dependencies, OWNER, 'task_1'), { code: 'task_not_found' });
    await pollTask(dependencies, await stored('task_1'), never);
    assert.deepEqual(await kinds('task_1'), ['hold 100000'], 'not while it is being made');
    answer.now = succeeded;
    await pollTask(dependencies, await stored('task_1'), never);
    assert.deepEqual(await kinds('task_1'), ['hold 100000', 'settle 30000', 'release 70000']);
  });

  test('one that the provider hands over itself is not released when the provider falls silent on us', async (t) => {
    const answers = [running, says(503, {}), says(503, {})];
    const { dependencies, add, kinds } = await prepare(t, { now: (...exchange) => answers.shift()?.(...exchange) });
    await add('task_1', { sent: '{"tokens":90,"tier":"generate","callsBack":true}' });
    await removeTask(dependencies, OWNER, 'task_1');
    assert.deepEqual(await kinds('task_1'), ['hold 100000']);
  });

  test('one that the provider does not know, or that was never confirmed, is released', async (t) => {
    const { dependencies, add, stored } = await prepare(t, { now: says(404, { error: { message: 'none' } }) });
    await add('task_1');
    await add('task_2', { state: 'SUBMIT_UNKNOWN', upstream_id: null });
    for (const id of ['task_1', 'task_2']) {
      await removeTask(dependencies, OWNER, id);
      assert.equal((await stored(id)).error_code, 'task_cancelled');
    }
  });
});
