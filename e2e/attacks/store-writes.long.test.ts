// A database that takes no writes: `/readyz` and refused callers say so, nothing is served free, and it is well again
// unaided (contract-2 10: "/readyz is 503 when the last write to the store failed and none has succeeded since").
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import pg from 'pg';
import { SqliteThread } from '../../server/src/store/sqlite/connection.ts';
import { chat, chatBody, readAnswer, readError } from '../support/chat.ts';
import { NO_DATABASE_SERVER, OPERATOR_KEY, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { startProcess } from '../support/process.ts';
import { pause, waitUntil } from '../support/wait.ts';
import { makeWorld } from '../support/world.ts';
import { assertReconciled } from './attacked-gateway.ts';

const WELL_WITHIN_MS = 30_000;

async function readyz(address: string): Promise<{ status: number; reason: string | undefined }> {
  const response = await fetch(`${address}/readyz`);
  const { reason } = (await response.json()) as { reason?: string };
  return { status: response.status, reason };
}

async function untilReady(address: string): Promise<void> {
  await waitUntil(async () => (await readyz(address)).status === 200, 'not ready again', WELL_WITHIN_MS);
}

/** Refused in words, ready no more, nothing asked of the upstream; then mended, and served again. */
async function checkUnwritable(
  t: TestContext,
  gateway: TestGateway,
  { fault, spoil, mend }: { fault: RegExp; spoil(): Promise<void>; mend(): Promise<void> },
): Promise<void> {
  const world = await makeWorld(gateway, t);
  t.after(() => gateway.stop()); // behind the check of its books
  await readAnswer(await chat(world, 'hi'));
  const served = world.calls().length;
  await spoil();
  try {
    const response = await chat(world, 'hi');
    assert.match(response.headers.get('retry-after') ?? '', /^\d+$/);
    assert.match((await readError(response, 503, 'overloaded')).message, fault);
    const { status, reason } = await readyz(gateway.address);
    assert.equal(status, 503);
    assert.match(String(reason), fault);
    assert.match(String(reason), /^the last write failed: /);
    assert.equal((await fetch(`${gateway.address}/healthz`)).status, 200);
    const change = await fetch(`${gateway.address}/operator/v1/accounts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${OPERATOR_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'nobody' }),
    });
    assert.match((await readError(change, 503, 'overloaded')).message, fault);
    await pause(2_500); // longer than a heartbeat: it stays so
    assert.equal((await readyz(gateway.address)).status, 503);
    assert.equal(world.calls().length, served, 'nothing is served free');
  } finally {
    await mend();
  }
  await untilReady(gateway.address);
  await readAnswer(await chat(world, 'hi'));
}

test('a read-only SQLite database (contract-2 10)', async (t) => {
  const writers = new Set<SqliteThread>();
  const { write } = SqliteThread.prototype;
  t.mock.method(SqliteThread.prototype, 'write', function (this: SqliteThread, ...args: Parameters<typeof write>) {
    writers.add(this);
    return write.apply(this, args);
  });
  const gateway = await startTestGateway();
  const setTo = async (word: 'on' | 'off'): Promise<void> => {
    for (const writer of writers) await writer.statement(`pragma query_only = ${word}`, []);
  };
  await checkUnwritable(t, gateway, {
    fault: /the database is read-only/,
    spoil: () => setTo('on'),
    mend: () => setTo('off'),
  });
});

test('a PostgreSQL that is read-only (contract-2 10)', { skip: NO_DATABASE_SERVER }, async (t) => {
  const gateway = await startTestGateway({ postgres: true });
  const setTo = async (word: 'on' | 'off'): Promise<void> => {
    const client = new pg.Client({ connectionString: gateway.databaseUrl });
    await client.connect();
    await client.query('set default_transaction_read_only = off');
    const { rows } = await client.query<{ name: string }>('select current_database() as name');
    await client.query(`alter database "${rows[0]?.name}" set default_transaction_read_only = ${word}`);
    await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`);
    await client.end();
    // New connections everywhere.
    await waitUntil(async () => {
      const { status, reason } = await readyz(gateway.address);
      return status === 200 ? word === 'off' : /read-only/.test(String(reason)) && word === 'on';
    }, 'the setting is not felt');
  };
  await checkUnwritable(t, gateway, {
    fault: /the database is read-only/,
    spoil: () => setTo('on'),
    mend: () => setTo('off'),
  });
});

/** A small disk of its own, which only root can mount. */
function mountSmall(t: TestContext): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-small-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=48m', 'tmpfs', folder]).status === 0;
  t.after(() => {
    if (mounted) spawnSync('umount', ['-l', folder]);
    rmSync(folder, { recursive: true, force: true });
  });
  return mounted ? folder : undefined;
}

function fill(file: string): void {
  const handle = openSync(file, 'a');
  try {
    for (;;) if (writeSync(handle, Buffer.alloc(64 * 1024)) === 0) break;
  } catch {
    // full
  } finally {
    closeSync(handle);
  }
}

test('a full disk under SQLite: 503 that says so, not ready, and well again when there is room (contract-2 10)', async (t) => {
  const folder = mountSmall(t);
  if (folder === undefined) return t.skip('needs root to mount a small tmpfs');
  const { address, printed, stop } = await startProcess({ TOLLGATE_DATA_DIR: join(folder, 'data') });
  t.after(() => stop('SIGKILL'));
  const call = (): Promise<Response> =>
    fetch(`${address}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${printed.demoToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(chatBody('sandbox-chat', 'hello')),
    });
  assert.equal((await call()).status, 200);
  assert.equal((await readyz(address)).status, 200);
  fill(join(folder, 'ballast'));
  let refused: Response | undefined;
  await waitUntil(async () => {
    const response = await call();
    if (response.status !== 200) refused = response;
    return refused !== undefined;
  }, 'the full disk was never felt');
  assert.match((await readError(refused as Response, 503, 'overloaded')).message, /the disk of the database is full/);
  const { status, reason } = await readyz(address);
  assert.deepEqual([status, reason], [503, 'the last write failed: the disk of the database is full']);
  rmSync(join(folder, 'ballast'));
  await untilReady(address);
  assert.equal((await call()).status, 200);
  await stop();
  await assertReconciled({ dataFolder: join(folder, 'data') });
});

test('an upload that finds no room on the disk is refused with 503, not 500', async (t) => {
  const folder = mountSmall(t);
  if (folder === undefined) return t.skip('needs root to mount a small tmpfs');
  const gateway = await startTestGateway();
  const world = await makeWorld(gateway, t);
  t.after(() => {
    spawnSync('umount', ['-l', spool]);
    return gateway.stop();
  });
  const spool = join(gateway.dataFolder, 'spool');
  fill(join(folder, 'ballast'));
  mkdirSync(spool, { recursive: true });
  spawnSync('mount', ['--bind', folder, spool]);
  const form = new FormData();
  form.set('model', world.model);
  form.set('file', new Blob([Buffer.alloc(4 * 2 ** 20, 7)]), 'sound.wav');
  const response = await fetch(`${gateway.address}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.key}` },
    body: form,
  });
  assert.match((await readError(response, 503, 'overloaded')).message, /its disk is full/);
});
