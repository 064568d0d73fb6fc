import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import type { GuardedClient } from '../providers/guarded/guarded-client.ts';
import { findWebhook, listDeliveries, putWebhook } from '../store/queries/webhooks.ts';
import { realTime } from '../testing/real-time.ts';
import { onEveryStore } from '../testing/stores.ts';
import { makeTaskWorld, succeeded } from '../testing/task-world.ts';
import { pollTask } from './poll/poll-task.ts';
import { TaskEngine } from './task-engine.ts';

onEveryStore((open) => {
  test('a webhook that waits to be sent is sent as soon as the engine is woken, while it rests', async (t) => {
    const { dependencies, add } = await makeTaskWorld(t, await open(), { now: succeeded });
    const sent: string[] = [];
    const guarded = {
      call: async ({ url }: { url: string }) => {
        sent.push(url);
        return { status: 200, body: Readable.from([]) };
      },
    } as unknown as GuardedClient;
    const engine = new TaskEngine({ ...dependencies, guarded }, { silenceSeconds: 10, workers: 1 });
    const url = 'https://hooks.example/';
    const task = await add('task_1');
    await dependencies.store.transaction((transaction) =>
      putWebhook(transaction, {
        account_id: task.account_id,
        url,
        secret: dependencies.secretBox.seal('s'),
        created_at: 0,
      }),
    );
    assert.ok((await findWebhook(dependencies.store.reads, task.account_id)) !== undefined);
    const breathe = realTime(t);
    engine.start();
    t.mock.timers.tick(250);
    for (let breath = 0; breath < 10; breath++) await breathe();
    await pollTask(dependencies, task, new AbortController().signal); // which wakes nobody here
    for (let breath = 0; breath < 10; breath++) await breathe();
    assert.deepEqual(sent, []);
    engine.wakeWebhooks();
    t.mock.timers.tick(25);
    for (let breath = 0; breath < 1_000 && sent.length === 0; breath++) await breathe();
    assert.deepEqual(sent, [url]);
    const isDelivered = async (): Promise<boolean> =>
      (await listDeliveries(dependencies.store.reads, 'task_1'))[0]?.status === 'delivered';
    for (let breath = 0; breath < 1_000 && !(await isDelivered()); breath++) await breathe();
    assert.ok(await isDelivered());
    await engine.stop();
  });
});
