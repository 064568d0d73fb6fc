// Several workers on one port (TOLLGATE_WORKERS): one sandbox, one sum of metrics, one task engine's worth of polls; a
// rolling change drops nothing, and a worker that is killed is replaced.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import type { Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { onEveryStoreSettings } from '../server/src/testing/stores.ts';
import { callOperator, OPERATOR_KEY } from './support/gateway.ts';
import { startProcess } from './support/process.ts';
import { openSocket } from './support/socket.ts';
import { startVideoStub } from './support/video-stub.ts';
import { pause, waitUntil } from './support/wait.ts';

const WORKERS = 2;
const SERVED = 'tollgate_requests_total{endpoint="/v1/chat/completions",status="200",code="ok",';

/** Of all models and channels. */
function servedIn(text: string): number {
  const lines = text.split('\n').filter((line) => line.startsWith(SERVED));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

onEveryStoreSettings((makeSettings, dialect) => {
  async function start(t: TestContext, more: Record<string, string> = {}) {
    const { databaseUrl, dataFolder } = await makeSettings();
    const started = await startProcess({
      TOLLGATE_DATA_DIR: dataFolder,
      ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl, TOLLGATE_SECRET: 'a secret of the workers' }),
      TOLLGATE_WORKERS: String(WORKERS),
      TOLLGATE_OPERATOR_KEY: OPERATOR_KEY,
      LOG_LEVEL: 'warn',
      ...more,
    });
    t.after(() => started.stop('SIGKILL'));
    const { address, printed, child } = started;
    const token = printed.demoToken ?? '';
    /** Each over a connection of its own, so that both workers get some. */
    const call = (path: string, body?: object): Promise<Response> =>
      fetch(address + path, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${token}`, connection: 'close', 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    const chat = (content: string, stream = false): Promise<Response> =>
      call('/v1/chat/completions', { model: 'sandbox-chat', stream, messages: [{ role: 'user', content }] });
    const metrics = async (): Promise<string> => (await call('/metrics')).text();
    const slots = async (): Promise<string[]> =>
      [...(await metrics()).matchAll(/tollgate_worker_memory_bytes\{worker="(\w+)",kind="rss"\}/g)].map(
        ([, slot]) => slot ?? '',
      );
    const pids = (): number[] =>
      execFileSync('pgrep', ['-P', String(child.pid)])
        .toString()
        .trim()
        .split('\n')
        .map(Number);
    const allUp = async (): Promise<boolean> => (await slots()).sort().join() === '1,2';
    await waitUntil(allUp, 'not every worker is up');
    return { ...started, call, chat, metrics, slots, pids, allUp };
  }

  test('metrics are those of all workers, with the memory of each, and the first start is printed once', async (t) => {
    const { chat, metrics, output, stop } = await start(t);
    const answers = await Promise.all(Array.from({ length: 24 }, () => chat('Hello!')));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    for (let asked = 0; asked < 4; asked++) {
      const text = await metrics();
      assert.equal(servedIn(text), 24);
    }
    assert.equal(output().stdout.match(/Demo token/g)?.length, 1);
    assert.equal(output().stdout.match(/is ready at/g)?.length, 1);
    assert.equal(await stop(), 0);
  });

  // What a change of workers does to calls and counts has nothing to do with where the money is kept.
  const skip = dialect === 'sqlite' ? false : 'judged on SQLite';
  test(
    'SIGHUP changes the workers one by one: no stream is cut, no call fails, no count falls',
    { skip },
    async (t) => {
      const { chat, metrics, pids, stop, allUp, output } = await start(t);
      const before = pids();
      const streams = await Promise.all(Array.from({ length: 8 }, () => chat('[[pace 100]] [[long 60]]', true)));
      const load = { isRunning: true };
      const failures: string[] = [];
      let calls = 0;
      const callOn = async (): Promise<void> => {
        while (load.isRunning) {
          const status = await chat('Hello!').then(
            async (response) => (await response.text(), String(response.status)),
            (error: Error) => `${error.message} ${String(error.cause)}`,
          );
          calls++;
          if (status !== '200') failures.push(status);
          await pause(20); // the new workers need the processor too
        }
      };
      const callers = [callOn(), callOn(), callOn()];
      const [, primary] = /workers; "kill -HUP (\d+)"/.exec(output().stdout) ?? [];
      process.kill(Number(primary), 'SIGHUP');
      const texts = await Promise.all(streams.map((stream) => stream.text()));
      await waitUntil(() => pids().every((pid) => !before.includes(pid)), 'old workers are still there');
      load.isRunning = false;
      await Promise.all(callers);
      for (const text of texts)
        assert.ok(text.endsWith('data: [DONE]\n\n') && !text.includes('"error"'), text.slice(-300));
      assert.deepEqual(failures, []);
      await waitUntil(allUp, 'not every worker is up');
      assert.equal(servedIn(await metrics()), calls + streams.length);
      assert.equal(output().stdout.match(/a worker was changed/g)?.length, WORKERS);
      assert.equal(pids().length, WORKERS);
      assert.equal(await stop(), 0);
    },
  );

  test('a worker that is changed does not wait for connections on which nothing is asked', { skip }, async (t) => {
    const { address, pids, child, stop } = await start(t);
    const before = pids();
    const openSome = (): Socket[] => Array.from({ length: 4 }, () => openSocket(address));
    const sockets = openSome();
    await pause(2_500); // by now node:http has them
    sockets.push(...openSome());
    t.after(() => sockets.forEach((socket) => socket.destroy()));
    child.kill('SIGHUP');
    await waitUntil(() => pids().every((pid) => !before.includes(pid)), 'old workers are still there');
    assert.equal(await stop(), 0);
  });

  test('a worker that is killed is replaced, and sandbox videos made through it end all the same', async (t) => {
    const { call, pids, allUp, stop, output } = await start(t, { TOLLGATE_TASK_POLL_MS: '200' });
    const ids = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const response = await call('/v1/videos', { model: 'beta-1-0-lite-t2v', prompt: 'A boat.' });
        const text = await response.text();
        assert.equal(response.status, 200, text);
        return (JSON.parse(text) as { id: string }).id;
      }),
    );
    const [victim = 0] = pids();
    process.kill(victim, 'SIGKILL');
    await waitUntil(() => output().stdout.includes('a worker died and is replaced'), 'nobody noticed');
    await waitUntil(async () => (await allUp()) && !pids().includes(victim), 'it was not replaced');
    const statuses = async (): Promise<string[]> =>
      Promise.all(
        ids.map(async (id) => ((await (await call(`/v1/videos/${id}`)).json()) as { status: string }).status),
      );
    await waitUntil(async () => (await statuses()).every((status) => status === 'completed'), 'a video hangs', 60_000);
    assert.equal(await stop(), 0);
  });

  test('several workers ask a provider no more than one would', async (t) => {
    const stub = await startVideoStub();
    t.after(() => stub.stop());
    stub.script = ['running'];
    const pollMs = 500;
    const { call, address, stop } = await start(t, { TOLLGATE_TASK_POLL_MS: String(pollMs) });
    await callOperator(address, {
      method: 'PUT',
      path: '/models/video-of-all',
      body: { price: { unit: 'video_tokens', generate: '7', video_input: '4.3' } },
    });
    await callOperator(address, {
      method: 'POST',
      path: '/channels',
      body: {
        name: 'stub',
        provider: 'beta-video',
        base_url: stub.baseUrl,
        keys: ['k'],
        models: { 'video-of-all': 'm' },
      },
    });
    const knowIt = async (): Promise<boolean> => {
      const answers = await Promise.all(Array.from({ length: 16 }, () => call('/v1/models/video-of-all')));
      return answers.every(({ ok }) => ok);
    };
    assert.ok(await knowIt(), 'a change is known to every worker before it is answered');
    for (let count = 0; count < 6; count++) {
      const response = await call('/v1/videos', { model: 'video-of-all', prompt: 'A boat.' });
      assert.equal(response.status, 200, await response.text());
    }
    const from = performance.now();
    const before = stub.polls;
    await waitUntil(() => stub.polls - before >= stub.tasks.size * 5, 'nobody works');
    const [asked, elapsed] = [stub.polls - before, performance.now() - from];
    const most = stub.tasks.size * (elapsed / (pollMs * 0.9) + 1); // chance moves polls a tenth ahead
    assert.ok(asked <= most, `${asked} polls, one engine makes at most ${most}`);
    assert.equal(await stop(), 0);
  });
});
