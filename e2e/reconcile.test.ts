// `npm run reconcile` as an operator runs it, beside a running gateway; and the metric that says to run it.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parseAmount } from '../server/src/billing/money.ts';
import { chat, readAnswer } from './support/chat.ts';
import { fillDataFolder, makeDatabase } from '../server/src/testing/templates.ts';
import { DATABASE_SERVER, NO_DATABASE_SERVER, startTestGateway } from './support/gateway.ts';
import { waitUntil } from './support/wait.ts';
import { makeWorld } from './support/world.ts';

/** What it runs; the test command builds it. */
const MAIN = fileURLToPath(new URL('../dist/server/src/reconcile.js', import.meta.url));

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

test('a database that is away is one sentence, without a stack or a password', async () => {
  const { code, output } = await run({ DATABASE_URL: 'postgres://ana:hunter22@127.0.0.1:1/books' });
  assert.equal(code, 2);
  assert.match(output, /^The books cannot be read: .*ECONNREFUSED.*\n$/);
  assert.ok(!output.includes('hunter22'));
});

test('the command finds books in order, and names what is not', async (t) => {
  const gateway = await startTestGateway();
  t.after(() => gateway.stop());
  const unchecked = { after: () => {} } as unknown as typeof t; // these books are about to be spoiled
  const world = await makeWorld(gateway, unchecked);
  await readAnswer(await chat(world, 'hi'));
  const good = await run({ TOLLGATE_DATA_DIR: gateway.dataFolder });
  assert.equal(good.code, 0, good.output);
  const [store, read, sums] = good.output.split('\n');
  assert.equal(store, `store: SQLite, ${gateway.dataFolder}/tollgate.db`);
  // What was there before the call is not this test's: the call alone made a hold and its end.
  const [, accounts = 0, , entries = 0] =
    /^read: (\d+) accounts, (\d+) tokens, (\d+) ledger entries, 0 open holds$/.exec(String(read))?.map(Number) ?? [];
  assert.ok(accounts >= 1 && entries >= 3, read);
  const [, granted = 0n, balance = 0n, held = 0n, spent = 0n] =
    /^sums: granted ([\d.]+), balance ([\d.]+), held ([\d.]+), spent ([\d.]+)$/
      .exec(String(sums))
      ?.map((figure, index) => (index === 0 ? 0n : (parseAmount(figure) ?? 0n))) ?? [];
  assert.ok(spent > 0n && granted === balance + held + spent, sums);
  assert.match(
    good.output,
    /^ {3}0 {2}accounts .*\n {3}0 {2}tokens .*\n {3}0 {2}holds that did not .*\n {3}0 {2}holds open/m,
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

test('the command makes no database where there is none, and says that there is nothing to check (contract-2 11)', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-reconcile-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const missing = join(folder, 'not-there');
  const none = await run({ TOLLGATE_DATA_DIR: missing });
  assert.equal(none.code, 2, none.output);
  assert.match(
    none.output,
    new RegExp(`^store: SQLite, ${missing}/tollgate.db\\nThere is nothing to check: there is no `),
  );
  assert.equal(existsSync(missing), false);

  writeFileSync(join(folder, 'tollgate.db'), '');
  const empty = await run({ TOLLGATE_DATA_DIR: folder });
  assert.equal(empty.code, 2, empty.output);
  assert.match(empty.output, /holds no tables of Tollgate/);
  assert.deepEqual(readdirSync(folder), ['tollgate.db']);
  assert.equal(statSync(join(folder, 'tollgate.db')).size, 0);

  const fresh = join(folder, 'fresh');
  mkdirSync(fresh);
  await fillDataFolder(fresh);
  const bare = await run({ TOLLGATE_DATA_DIR: fresh });
  assert.equal(bare.code, 2, bare.output);
  assert.match(bare.output, /\nread: 0 accounts, 0 tokens, 0 ledger entries, 0 open holds\n/);
  assert.match(bare.output, /There is nothing to check: the store has no account/);
});

test('neither on PostgreSQL', { skip: NO_DATABASE_SERVER }, async () => {
  const databaseUrl = await makeDatabase(DATABASE_SERVER ?? '');
  const { code, output } = await run({ DATABASE_URL: databaseUrl });
  assert.equal(code, 2, output);
  assert.match(
    output,
    new RegExp(`^store: PostgreSQL, [^@]+${new URL(databaseUrl).pathname}\\nThere is nothing to check: it holds no`),
  );
  const again = await run({ DATABASE_URL: databaseUrl });
  assert.match(again.output, /holds no tables/, 'the first one made none');
});
