// `npm run reconcile` as an operator runs it, beside a running gateway; and the metric that says to run it.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chat, readAnswer } from './support/chat.ts';
import { startTestGateway } from './support/gateway.ts';
import { waitUntil } from './support/wait.ts';
import { makeWorld } from './support/world.ts';

const MAIN = fileURLToPath(new URL('../server/src/reconcile.ts', import.meta.url));

function run(environment: Record<string, string>): Promise<{ code: number; output: string }> {
  const env = { PATH: process.env['PATH'] ?? '', ...environment };
  return new Promise((resolve) => {
    execFile(process.execPath, [MAIN], { env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr });
    });
  });
}

/** In a process of its own: here it would stop the gateway, which may be in the middle of a transaction. */
async function spoil(dataFolder: string, accountId: string): Promise<void> {
  const program = `const { DatabaseSync } = require('node:sqlite');
    const database = new DatabaseSync('${dataFolder}/tollgate.db', { timeout: 30000 });
    database.exec("update accounts set balance = balance + 1 where id = '${accountId}'");`;
  await promisify(execFile)(process.execPath, ['--eval', program]);
}

test('the command finds books in order, and names what is not', async (t) => {
  const gateway = await startTestGateway();
  t.after(() => gateway.stop());
  const unchecked = { after: () => {} } as unknown as typeof t; // these books are about to be spoiled
  const world = await makeWorld(gateway, unchecked);
  await readAnswer(await chat(world, 'hi'));
  const good = await run({ TOLLGATE_DATA_DIR: gateway.dataFolder });
  assert.equal(good.code, 0, good.output);
  assert.match(
    good.output,
    /^ {3}0 {2}accounts .*\n {3}0 {2}tokens .*\n {3}0 {2}holds that did not .*\n {3}0 {2}holds open/,
  );
  await waitUntil(
    async () =>
      /tollgate_book_problems\{check="account"\} 0/.test(await (await fetch(`${gateway.address}/metrics`)).text()),
    'the metric is not there',
  );

  await spoil(gateway.dataFolder, world.account.id);
  const bad = await run({ TOLLGATE_DATA_DIR: gateway.dataFolder });
  assert.equal(bad.code, 1, bad.output);
  assert.match(bad.output, new RegExp(`account ${world.account.id}: granted`));
  const unset = await run({ DATABASE_URL: 'mysql://x' });
  assert.equal(unset.code, 2);
  assert.match(unset.output, /^DATABASE_URL must/);
});
