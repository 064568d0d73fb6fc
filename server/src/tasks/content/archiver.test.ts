import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { GuardedClient } from '../../providers/guarded/guarded-client.ts';
import { removeTask } from '../remove-task.ts';
import { onEveryStore } from '../../testing/stores.ts';
import { taskEnd } from '../../testing/task-rows.ts';
import { type Answer, makeTaskWorld, OWNER } from '../../testing/task-world.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { Archiver } from './archiver.ts';

const video: Answer = (response) => void response.writeHead(200, { 'content-type': 'video/mp4' }).end('bytes');

onEveryStore((open) => {
  async function prepare(t: TestContext, answer: { now: Answer }) {
    const store = await open();
    const world = await makeTaskWorld(t, store, answer);
    await store.transaction((transaction) =>
      transaction.updateTable('channels').set({ options: '{"archive":true}' }).execute(),
    );
    await world.dependencies.catalogue.refresh();
    const archiveFolder = mkdtempSync(join(tmpdir(), 'tollgate-archive-'));
    const guarded = new GuardedClient({ privateHosts: ['127.0.0.1'] });
    t.after(async () => {
      await guarded.close();
      rmSync(archiveFolder, { recursive: true, force: true });
    });
    const dependencies = { ...world.dependencies, archiveFolder, guarded };
    const finished = async (id: string): Promise<void> => {
      const row = await world.add(id, { result_url: `${world.origin}/files/${id}` });
      const { task, ...end } = taskEnd(row, 5n);
      assert.ok(task !== undefined);
      const completed_at = await store.now();
      assert.equal(await store.commit({ ...end, task: { ...task, row: { ...task.row, completed_at } } }), 'settled');
    };
    const until = (isSo: () => boolean | Promise<boolean>): Promise<void> =>
      waitUntil(isSo, 'it does not come to that');
    return { ...world, dependencies, finished, until, files: () => readdirSync(archiveFolder) };
  }

  test('each video is fetched once, however many processes look for it', async (t) => {
    const { dependencies, finished, stored, until, requests, files } = await prepare(t, { now: video });
    const ids = ['task_1', 'task_2', 'task_3'];
    for (const id of ids) await finished(id);
    const archivers = [new Archiver(dependencies), new Archiver(dependencies)];
    for (const archiver of [...archivers, ...archivers]) archiver.wake();
    for (const id of ids) await until(async () => (await stored(id)).archived === 1);
    for (const archiver of archivers) await archiver.stop();
    assert.deepEqual(
      requests.sort(),
      ids.map((id) => `GET /files/${id}`),
    );
    assert.deepEqual(
      files().sort(),
      ids.map((id) => `${id}.mp4`),
    );
  });

  test('what a process that is gone left behind is copied at the start of the next (contract-2 9)', async (t) => {
    const { dependencies, finished, stored, until } = await prepare(t, { now: video });
    await finished('task_1');
    const archiver = new Archiver(dependencies);
    archiver.start();
    await until(async () => (await stored('task_1')).archived === 1);
    await archiver.stop();
  });

  test('what fails is put off, longer each time, and reported', async (t) => {
    const { dependencies, finished, stored, until } = await prepare(t, {
      now: (response) => void response.writeHead(500).end(),
    });
    await finished('task_1');
    const pauses: { least: number; most: number }[] = [];
    for (let tries = 1; tries <= 2; tries++) {
      const archiver = new Archiver(dependencies);
      const before = await dependencies.store.now();
      archiver.wake();
      await until(() => dependencies.errors.length === tries);
      await archiver.stop();
      const now = await dependencies.store.now();
      const { archive_at } = await stored('task_1');
      pauses.push({ least: archive_at - now, most: archive_at - before });
      await dependencies.store.transaction((transaction) =>
        transaction.updateTable('tasks').set({ archive_at: now }).execute(),
      );
    }
    for (const [index, seconds] of [60, 120].entries()) {
      const { least = NaN, most = NaN } = pauses[index] ?? {};
      assert.ok(least <= seconds && seconds <= most, `${seconds} is not between ${least} and ${most}`);
    }
  });

  test('stopping cuts a download, leaves no file, and leaves the video to others at once', async (t) => {
    const { dependencies, finished, stored, until, requests, files } = await prepare(t, {
      now: (response) => void response.writeHead(200, { 'content-type': 'video/mp4' }).write('the first bytes'),
    });
    await finished('task_1');
    const archiver = new Archiver(dependencies);
    archiver.wake();
    await until(() => requests.length === 1 && files().length === 1);
    await archiver.stop();
    await until(async () => (await stored('task_1')).archive_at <= (await dependencies.store.now()));
    const { archived } = await stored('task_1');
    assert.deepEqual([archived, files(), dependencies.errors], [0, [], []]);
  });

  test('a video that is removed while it is copied leaves no file', async (t) => {
    let finish = (): void => {};
    const { dependencies, finished, stored, until, requests, files } = await prepare(t, {
      now: (response) => {
        response.writeHead(200, { 'content-type': 'video/mp4' }).write('the first bytes');
        finish = () => void response.end();
      },
    });
    await finished('task_1');
    const archiver = new Archiver(dependencies);
    archiver.wake();
    await until(() => requests.length === 1 && files().length === 1);
    await removeTask(dependencies, OWNER, 'task_1');
    finish();
    await until(() => files().length === 0);
    await archiver.stop();
    assert.deepEqual([(await stored('task_1')).archived, dependencies.errors], [0, []]);
  });
});
