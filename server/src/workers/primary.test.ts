// What the end of a worker does to its primary: nothing.
import assert from 'node:assert/strict';
import cluster from 'node:cluster';
import { readdirSync, readFileSync } from 'node:fs';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { waitUntil } from '../testing/wait-until.ts';
import { Primary } from './primary.ts';
import { restartPause } from './restart-pause.ts';

interface News {
  facts: { worker?: number };
  words: string;
}

/** Starts a primary; resolves with its news up to the one that the worker of that slot is replaced. */
function untilReplaced(t: TestContext, slot: number, onWelcome: () => void): Promise<string[]> {
  return new Promise((resolve) => {
    const reported: News[] = [];
    const primary = new Primary({
      workers: slot,
      sandbox: undefined,
      onWelcome,
      onNews(facts: News['facts'], words) {
        reported.push({ facts, words });
        if (facts.worker !== slot || !words.includes('replaced')) return;
        primary.stop();
        const ofSlot = reported.filter((news) => news.facts.worker === slot).map((news) => news.words);
        setTimeout(() => resolve(ofSlot), 100); // for errors that come after the end
      },
      onStopped: () => {},
    });
    cluster.setupPrimary({ exec: fileURLToPath(new URL('testing/killed-worker.ts', import.meta.url)) });
    t.after(() => primary.stop());
    primary.start();
  });
}

/** Without letting go of the event loop, so that what the worker said stays unread. */
function blockUntilDead(pid: number): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  // Its end of the channel is open until the last of its threads is gone.
  const isDead = (): boolean =>
    readdirSync(`/proc/${pid}/task`).length === 1 && readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  while (!isDead()) Atomics.wait(pause, 0, 0, 5);
}

const skip = process.platform === 'linux' ? false : 'reads /proc';
test('a worker that is killed while its questions lie unread does not end the primary', { skip }, async (t) => {
  const reported = await untilReplaced(t, 1, () => {
    for (const worker of Object.values(cluster.workers ?? {})) blockUntilDead(worker?.process.pid ?? 0);
  });
  assert.deepEqual(reported, ['a worker died and is replaced']);
});

test('a worker that cannot be started is reported and tried again, and does not end the primary', async (t) => {
  t.after(() => cluster.setupPrimary({ cwd: process.cwd() }));
  const reported = await untilReplaced(t, 2, () => cluster.setupPrimary({ cwd: '/there is no such folder' }));
  assert.deepEqual(reported, ['a worker could not be started', 'a worker died and is replaced']);
});

test('a slot whose worker dies while a successor that cannot start is tried is filled again', async (t) => {
  const reported: string[] = [];
  let welcomed = (): void => {};
  const isUp = new Promise<void>((resolve) => {
    welcomed = resolve;
  });
  const onNews = (_facts: object, words: string): void => void reported.push(words);
  const primary = new Primary({ workers: 1, sandbox: undefined, onWelcome: welcomed, onNews, onStopped: () => {} });
  const exec = fileURLToPath(new URL('testing/late-worker.ts', import.meta.url));
  cluster.setupPrimary({ exec, args: [] });
  t.after(() => primary.stop());
  t.after(() => cluster.setupPrimary({ args: [] }));
  primary.start();
  await isUp;
  const [old] = Object.values(cluster.workers ?? {});
  const failsAfterMs = 2 * restartPause.of(1); // the slot is taken when the old one is to be replaced
  cluster.setupPrimary({ exec, args: [String(failsAfterMs)] });
  primary.changeWorkers();
  cluster.setupPrimary({ exec, args: [] });
  old?.process.kill('SIGKILL');
  await waitUntil(() => reported.includes('a new worker could not start; the old ones stay'), 'the successor lives');
  await waitUntil(() => Object.keys(cluster.workers ?? {}).length > 0, 'the slot stays empty');
  assert.equal(reported.filter((words) => words === 'a worker died and is replaced').length, 2);
});
