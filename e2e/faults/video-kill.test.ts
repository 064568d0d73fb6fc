// kill -9 while video tasks are submitted and polled, and start again (promises V-01 to V-05, V-08): every task ends once,
// its money moves once, and no provider is asked twice for the same video.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEveryStoreSettings } from '../../server/src/testing/stores.ts';
import { pause, waitUntil } from '../support/wait.ts';
import { type GatewayProcess, startGatewayProcess } from './gateway-process.ts';
import { Operator, untilOffered } from './operator.ts';
import { checkBooks, readBooks, untilNoOpenHold } from './reconcile.ts';
import {
  bringDeadlines,
  checkTasks,
  QUICK_POLLS,
  readTasks,
  startStubbedVideos,
  submitVideo,
} from './rig/video-side.ts';

const ROUNDS = 3;
const CLIENTS = 12;
const START = { environment: QUICK_POLLS };

/** Submits one task after another; remembers the ids that it was given. */
async function submitOnAndOn(gateway: GatewayProcess, parts: { key: string; ids: string[]; goOn(): boolean }) {
  for (let count = 0; parts.goOn(); count++) {
    const prompt = `${gateway.child.pid} ${Math.random()} ${count}`;
    const { status, id } = await submitVideo(gateway.address, parts.key, prompt);
    if (id !== undefined) parts.ids.push(id);
    if (status === undefined) await pause(20); // killed
  }
}

onEveryStoreSettings((makeSettings) => {
  test('kill -9 in the middle of submits and polls: one submit, one end, one movement of money each', async (t) => {
    const settings = await makeSettings();
    let gateway = await startGatewayProcess(settings, START);
    t.after(() => gateway.end('SIGKILL'));
    const operator = new Operator(gateway.address);
    const { stub, model } = await startStubbedVideos(operator);
    t.after(() => stub.stop());
    const { key } = await operator.addToken(await operator.addAccount('1000000'));
    await untilOffered(gateway.address, key, model);

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
      gateway = await startGatewayProcess(settings, { ...START, port });
    }
    const readyAt = Date.now();
    await pause(12_000); // until the dead are known to be dead
    const lost = await bringDeadlines(settings);
    await untilNoOpenHold(settings, 20_000);
    t.diagnostic(
      `${ids.length} answered, ${stub.submits} submitted, ${lost} lost, ended ${Date.now() - readyAt} ms after`,
    );

    const tasks = await readTasks(settings);
    const books = await readBooks(settings);
    checkBooks(books);
    assert.ok(ids.length > 20 && stub.submits <= tasks.length, `${stub.submits} submits for ${tasks.length} tasks`);
    checkTasks(tasks, books, { stub, ids });
    assert.ok(tasks.some(({ state }) => state === 'SUCCESS') && tasks.some(({ state }) => state === 'FAILURE'));
  });
});
