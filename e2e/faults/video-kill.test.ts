// kill -9 while video tasks are submitted and polled, and start again (promises V-01 to V-05, V-08): every task ends once,
// its money moves once, and no provider is asked twice for the same video.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoreSettings } from '../../server/src/store/store.ts';
import { onEveryStoreSettings } from '../../server/src/testing/stores.ts';
import { startVideoStub } from '../support/video-stub.ts';
import { pause, waitUntil } from '../support/wait.ts';
import { callOperatorOf, type GatewayProcess, startGatewayProcess } from './gateway-process.ts';
import { Operator, untilOffered } from './operator.ts';
import { checkBooks, readBooks, untilNoOpenHold, withStore } from './reconcile.ts';

const MODEL = 'video-under-fire';
const ROUNDS = 3;
const CLIENTS = 12;
const SETTINGS = { TOLLGATE_TASK_POLL_MS: '100' };
/** 108,900 tokens at 7 per million, in nano-units. */
const CHARGE = 762_300_000n;

/** Submits one task after another; remembers the ids that it was given. */
async function submitOnAndOn(gateway: GatewayProcess, parts: { key: string; ids: string[]; goOn(): boolean }) {
  for (let count = 0; parts.goOn(); count++) {
    try {
      const response = await fetch(`${gateway.address}/v1/video/generations`, {
        method: 'POST',
        headers: { authorization: `Bearer ${parts.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: MODEL, prompt: `${gateway.child.pid} ${Math.random()} ${count}` }),
      });
      const { id } = (await response.json()) as { id?: string };
      if (response.status === 200 && id !== undefined) parts.ids.push(id);
    } catch {
      await pause(20); // killed
    }
  }
}

/** Nobody can tell lost submits of one moment apart: their deadline ends them, which is brought near here. */
async function bringDeadlines(settings: StoreSettings): Promise<number> {
  return withStore(settings, async (store) => {
    const lost = ['SUBMITTING', 'SUBMIT_UNKNOWN'] as const;
    const { numUpdatedRows } = await store.transaction((transaction) =>
      transaction
        .updateTable('tasks')
        .set({ deadline: 1, next_poll_at: 1 })
        .where('state', 'in', [...lost])
        .executeTakeFirst(),
    );
    return Number(numUpdatedRows);
  });
}

onEveryStoreSettings((makeSettings) => {
  test('kill -9 in the middle of submits and polls: one submit, one end, one movement of money each', async (t) => {
    const settings = await makeSettings();
    const stub = await startVideoStub();
    t.after(() => stub.stop());
    let gateway = await startGatewayProcess(settings, { environment: SETTINGS });
    t.after(() => gateway.end('SIGKILL'));
    const operator = new Operator(gateway.address);
    await callOperatorOf(gateway.address, 'PUT', `/models/${MODEL}`, {
      price: { unit: 'video_tokens', generate: '7', video_input: '4.3' },
    });
    await callOperatorOf(gateway.address, 'POST', '/channels', {
      name: 'stub',
      provider: 'beta-video',
      base_url: stub.baseUrl,
      keys: ['stub-key-0001'],
      models: { [MODEL]: 'upstream-model' },
    });
    const { key } = await operator.addToken(await operator.addAccount('1000000'));
    await untilOffered(gateway.address, key, MODEL);

    const ids: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      let running = true;
      const clients = Array.from({ length: CLIENTS }, () =>
        submitOnAndOn(gateway, { key, ids, goOn: () => running && ids.length < 80 * (round + 1) }),
      );
      stub.script = round % 2 === 0 ? ['queued', 'running', 'succeeded'] : ['running', 'failed'];
      await waitUntil(() => ids.length >= 12 * (round + 1), 'hardly a submit gets through', 20_000);
      await pause(40 * round);
      const { port } = gateway;
      await gateway.end('SIGKILL');
      running = false;
      await Promise.all(clients);
      gateway = await startGatewayProcess(settings, { port, environment: SETTINGS });
    }
    const readyAt = Date.now();
    await pause(12_000); // until the dead are known to be dead
    const lost = await bringDeadlines(settings);
    await untilNoOpenHold(settings, 20_000);
    t.diagnostic(
      `${ids.length} answered, ${stub.submits} submitted, ${lost} lost, ended ${Date.now() - readyAt} ms after`,
    );

    const { tasks, events } = await withStore(settings, async ({ reads }) => ({
      tasks: await reads.selectFrom('tasks').selectAll().execute(),
      events: await reads.selectFrom('task_events').selectAll().execute(),
    }));
    const books = await readBooks(settings);
    checkBooks(books);
    for (const id of ids)
      assert.ok(
        tasks.some((task) => task.id === id),
        `${id} was answered and is gone`,
      );
    assert.ok(ids.length > 20 && stub.submits <= tasks.length, `${stub.submits} submits for ${tasks.length} tasks`);
    const prompts = [...stub.tasks.values()].map(({ body }) => JSON.stringify(body.content));
    assert.equal(new Set(prompts).size, prompts.length, 'a task was submitted twice');
    const upstreamIds = tasks.flatMap(({ upstream_id }) => upstream_id ?? []);
    assert.equal(new Set(upstreamIds).size, upstreamIds.length, 'two tasks have the same video');
    for (const { id, state, charge } of tasks) {
      assert.ok(state === 'SUCCESS' || state === 'FAILURE', `${id} is ${state}`);
      const ends = events.filter(({ task_id, status }) => task_id === id && ['SUCCESS', 'FAILURE'].includes(status));
      assert.equal(ends.length, 1, `${id} ended ${ends.length} times`);
      const settled = books.entries.filter(({ task_id, kind }) => task_id === id && kind === 'settle');
      assert.deepEqual(
        settled.map(({ amount }) => amount),
        state === 'SUCCESS' ? [CHARGE] : [],
      );
      assert.equal(charge, state === 'SUCCESS' ? CHARGE : 0n);
    }
    assert.ok(tasks.some(({ state }) => state === 'SUCCESS') && tasks.some(({ state }) => state === 'FAILURE'));
  });
});
