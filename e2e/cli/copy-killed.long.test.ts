// backup, restore and move that are killed at any moment (contract-2 11): run again, and the end is right.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { StoreSettings } from '../../server/src/store/open-store.ts';
import { makeDatabase } from '../../server/src/testing/stores.ts';
import { chatBody } from '../support/chat.ts';
import { DATABASE_SERVER, NO_DATABASE_SERVER } from '../support/gateway.ts';
import { startProcess } from '../support/process.ts';
import { pause } from '../support/wait.ts';
import { allRows } from './all-rows.ts';
import { CLI, NODE_COMPILE_CACHE, runCli } from './run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-copy-'));
const file = join(folder, 'backup.gz');
const source = join(folder, 'source');
const ROUNDS = 3;

before(async () => {
  const gateway = await startProcess({ TOLLGATE_DATA_DIR: source, LOG_LEVEL: 'warn' });
  for (let call = 0; call < 20; call += 1) {
    const answer = await fetch(`${gateway.address}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.printed.demoToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(chatBody('sandbox-chat', 'Hello!')),
    });
    assert.equal(answer.status, 200, await answer.text());
  }
  await gateway.stop();
  assert.equal((await runCli(['backup', file], { TOLLGATE_DATA_DIR: source })).code, 0);
});
after(() => rmSync(folder, { recursive: true, force: true }));

const inFolder = (name: string): StoreSettings => ({ databaseUrl: undefined, dataFolder: join(folder, name) });

/** Starts a command and kills it after a moment; true when it came to its end before. */
async function killed(args: string[], environment: Record<string, string>, afterMs: number): Promise<boolean> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', CLI, ...args], {
    env: { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE, ...environment },
    stdio: 'ignore',
  });
  const ended = once(child, 'close') as Promise<[number | null]>;
  await Promise.race([ended, pause(afterMs)]);
  child.kill('SIGKILL');
  const [code] = await ended;
  return code === 0;
}

test('kill -9 in backup and restore at random points: run again, and the end is right', async () => {
  const before = await allRows(inFolder('source'));
  const [copy, target] = [join(folder, 'killed.gz'), join(folder, 'killed')];
  const began = performance.now();
  assert.equal((await runCli(['backup', copy], { TOLLGATE_DATA_DIR: source })).code, 0);
  const whole = performance.now() - began;
  const moment = (): number => whole * (0.4 + Math.random() * 0.6);
  for (let round = 0; round < ROUNDS; round += 1) {
    await killed(['backup', copy, '--force'], { TOLLGATE_DATA_DIR: source }, moment());
    await killed(['restore', file, '--force'], { TOLLGATE_DATA_DIR: target }, moment());
  }
  assert.equal((await runCli(['backup', copy, '--force'], { TOLLGATE_DATA_DIR: source })).code, 0);
  const done = await runCli(['restore', copy, '--force'], { TOLLGATE_DATA_DIR: target });
  assert.equal(done.code, 0, done.err);
  assert.deepEqual(await allRows(inFolder('killed')), before);
});

test(
  'SQLite moves to PostgreSQL with every row, also after a kill -9 at random points',
  { skip: NO_DATABASE_SERVER },
  async () => {
    const address = await makeDatabase(DATABASE_SERVER ?? '');
    const move = ['move', '--to', address, '--force'];
    for (let round = 0; round < ROUNDS; round += 1)
      await killed(move, { TOLLGATE_DATA_DIR: source }, 300 + Math.random() * 1_500);
    const there = await runCli(move, { TOLLGATE_DATA_DIR: source });
    assert.equal(there.code, 0, there.err);
    assert.deepEqual(await allRows({ databaseUrl: address, dataFolder: source }), await allRows(inFolder('source')));
  },
);
