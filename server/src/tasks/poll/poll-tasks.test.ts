import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { onEveryStore } from '../../testing/stores.ts';
import { makeTaskWorld, says } from '../../testing/task-world.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { MOST, TaskPoller } from './poll-tasks.ts';

const WORKERS = 2;
const SHARE = MOST.atOncePerChannel / WORKERS;
/** Of the poller, in which it could begin more than it may. */
const ROUNDS = 4;

onEveryStore((open) => {
  test('tasks that are due together, as after a restart, are asked about in turn, each once (promise V-08)', async (t) => {
    const waiting: ServerResponse[] = [];
    const answer = { now: (response: ServerResponse): void => void waiting.push(response) };
    const { dependencies, requests, add, stored } = await makeTaskWorld(t, await open(), answer);
    const ids = Array.from({ length: 3 * SHARE }, (_, index) => `task_${String(index).padStart(3, '0')}`);
    for (const id of ids) await add(id, { hold: 1_000n });
    let rounds = 0;
    const clock = { now: () => (rounds++, dependencies.clock.ms) };
    const poller = new TaskPoller(
      { ...dependencies, clock, pollMs: 60_000 },
      { silenceSeconds: 10, workers: WORKERS, onSucceeded: () => {} },
    );
    t.after(() => poller.stop());
    poller.start();
    for (let asked = SHARE; asked <= ids.length; asked += SHARE) {
      await waitUntil(() => waiting.length >= SHARE, `${asked} tasks are not asked about`);
      const until = rounds + ROUNDS;
      await waitUntil(() => rounds >= until, 'the poller rests');
      assert.equal(requests.length, asked, 'more at once than a process may');
      for (const response of waiting.splice(0)) says(200, { status: 'running' })(response, response.req);
    }
    await waitUntil(async () => (await stored(ids.at(-1) ?? '')).state === 'IN_PROGRESS', 'the last one is not moved');
    assert.equal(new Set(requests).size, ids.length, 'no task was asked about twice');
    assert.deepEqual(dependencies.errors, []);
  });
});
