import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { onEveryStore } from '../../testing/stores.ts';
import { makeTaskWorld, says, type TaskWorld } from '../../testing/task-world.ts';
import type { TaskRow } from '../../store/queries/tasks.ts';
import { findLostTask } from './reconcile-task.ts';

const never = new AbortController().signal;
const LOST = { state: 'SUBMIT_UNKNOWN', upstream_id: null } as const;

interface Item {
  id: string;
  model?: string;
  created_at?: number;
  [name: string]: unknown;
}

onEveryStore((open) => {
  async function prepare(t: TestContext) {
    const answer = { now: says(200, { items: [] }) };
    const world = await makeTaskWorld(t, await open(), answer);
    const listed = (...items: Item[]): void => {
      answer.now = says(200, {
        items: items.map((item) => ({ model: 'upstream-model', created_at: world.at + 1, ...item })),
      });
    };
    const found = async (task: TaskRow): Promise<unknown> => {
      const result = await findLostTask(world.dependencies, task, never);
      return typeof result === 'object' ? result.upstreamId : result;
    };
    return { ...world, listed, found };
  }

  test('the one task of its model and moment that is nobody’s is taken for a lost submit', async (t) => {
    const { add, listed, found, at } = await prepare(t);
    const task = await add('task_1', LOST);
    assert.equal(await found(task), 'not-found');
    await add('task_2', { upstream_id: 'cgt-2' });
    listed({ id: 'cgt-1' }, { id: 'cgt-2' });
    assert.equal(await found(task), 'cgt-1');
    for (const other of [{ model: 'other' }, { created_at: at - 6 }, { created_at: at + 61 }]) {
      listed({ id: 'cgt-1', ...other });
      assert.equal(await found(task), 'not-found', JSON.stringify(other));
    }
    listed({ id: 'cgt-1' }, { id: 'cgt-3' });
    assert.equal(await found(task), 'not-found', 'two fit');
  });

  test('a task of another channel, or of another public name of the model, is never taken', async (t) => {
    const { add, listed, found } = await prepare(t);
    const task = await add('task_1', LOST);
    listed({ id: 'cgt-1' });
    const other = await add('task_2', { ...LOST, channel_id: 'other', model: 'alias', account_id: 'acc' });
    assert.equal(await found(task), 'not-found', 'it may be the other’s that was lost as well');
    assert.equal(await found({ ...other, channel_id: 'ch' }), 'not-found');
    await add('task_3', { channel_id: 'other', model: 'alias', upstream_id: 'cgt-9' });
    listed({ id: 'cgt-9' });
    assert.equal(await found(task), 'not-found', 'it is somebody’s');
  });

  for (const [name, other] of [
    ['being sent now', { state: 'SUBMITTING', upstream_id: null }],
    ['given up', { state: 'FAILURE', upstream_id: null, completed_at: 5 }],
    ['removed', { state: 'FAILURE', upstream_id: null, completed_at: 5, deleted_at: 5 }],
  ] as const)
    test(`what may be that of a submit ${name} is not taken`, async (t) => {
      const { add, listed, found, at } = await prepare(t);
      const task = await add('task_1', LOST);
      listed({ id: 'cgt-1' });
      await add('task_2', { ...other, sent_at: at - 30 });
      assert.equal(await found(task), 'not-found');
    });

  test('submits that surely were not taken, or that were of another time, stand in nobody’s way', async (t) => {
    const { add, listed, found, at } = await prepare(t);
    const task = await add('task_1', LOST);
    listed({ id: 'cgt-1' });
    await add('task_2', { ...LOST, state: 'FAILURE', completed_at: 5, sent_at: null, upstream_model: null });
    await add('task_3', { ...LOST, sent_at: at - 66 });
    await add('task_4', { ...LOST, upstream_model: 'another-model' });
    assert.equal(await found(task), 'cgt-1');
  });

  test('two lost submits of one moment are distinguished by what was asked for', async (t) => {
    const { add, listed, found } = await prepare(t);
    const sent = (more: object) => ({ ...LOST, sent: JSON.stringify({ tokens: 90, tier: 'generate', ...more }) });
    const short = await add('task_1', sent({ duration: 5, resolution: '720p' }));
    const long = await add('task_2', sent({ duration: 10, resolution: '720p' }));
    listed({ id: 'cgt-1', duration: 10, resolution: '720p' }, { id: 'cgt-2', duration: 5, resolution: '720P' });
    assert.deepEqual([await found(short), await found(long)], ['cgt-2', 'cgt-1']);
    listed({ id: 'cgt-1', resolution: '720p' });
    assert.deepEqual([await found(short), await found(long)], ['not-found', 'not-found']);
  });

  test('where somebody else uses the account, nothing is taken', async (t) => {
    const { add, listed, found, at } = await prepare(t);
    const task = await add('task_1', LOST);
    listed({ id: 'cgt-1' }, { id: 'cgt-8', model: 'another', created_at: at - 1_800 });
    assert.equal(await found(task), 'not-found');
    listed({ id: 'cgt-1' }, { id: 'cgt-8', model: 'another', created_at: at - 3_601 });
    assert.equal(await found(task), 'cgt-1');
  });

  test('a submit of which nothing is known cannot be asked for', async (t) => {
    const { add, found, requests }: TaskWorld & { found(task: TaskRow): Promise<unknown> } = await prepare(t);
    assert.equal(await found(await add('task_1', { ...LOST, sent_at: null })), 'cannot-be-asked');
    assert.equal(await found(await add('task_2', { ...LOST, channel_id: 'gone' })), 'cannot-be-asked');
    assert.deepEqual(requests, []);
  });
});
