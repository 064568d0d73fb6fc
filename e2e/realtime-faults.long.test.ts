// Realtime sessions when the gateway stops or dies: real processes, on both stores, judged by the ledger afterwards.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startSandbox } from '../server/src/sandbox/server.ts';
import { makeMigratedDatabase } from '../server/src/testing/templates.ts';
import { startTlsFront } from '../server/src/testing/tls-front.ts';
import {
  callOperator,
  DATABASE_SERVER,
  NO_DATABASE_SERVER,
  OPERATOR_KEY,
  type TestGateway,
} from './support/gateway.ts';
import { assertMoneyAddsUp, ledgerOf, requestsOf } from './support/money.ts';
import { type GatewayProcess, startProcess } from './support/process.ts';
import { openText, REALTIME_PRICE } from './support/realtime.ts';
import { pause } from './support/wait.ts';
import { makeWorld } from './support/world.ts';

const RECONCILE = fileURLToPath(new URL('../server/src/start/reconcile.ts', import.meta.url));
/** Longer than a checkpoint is apart from the next. */
const CHECKPOINT_MS = 4_500;

async function start(t: TestContext, { postgres = false, settings = {} as Record<string, string> }) {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-realtime-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const store: Record<string, string> = postgres
    ? { DATABASE_URL: await makeMigratedDatabase(DATABASE_SERVER ?? '') }
    : {};
  const environment: Record<string, string> = {
    TOLLGATE_DATA_DIR: folder,
    TOLLGATE_OPERATOR_KEY: OPERATOR_KEY,
    TOLLGATE_SANDBOX: 'off',
    ...store,
    ...settings,
  };
  const upstream = await startSandbox();
  t.after(() => upstream.stop());
  let running: GatewayProcess & { address: string } = await startProcess(environment);
  t.after(() => running.stop('SIGKILL'));
  const front = await startTlsFront(Number(new URL(running.address).port));
  t.after(() => front.close());
  const operator: TestGateway['operator'] = (method, path, body) =>
    callOperator(running.address, { method, path, body });
  const gateway = { operator, upstream } as TestGateway;
  const unchecked = { after: () => {} } as unknown as TestContext; // the books are checked when it runs again
  const world = await makeWorld(gateway, unchecked, { model: { price: REALTIME_PRICE } });
  return {
    gateway,
    world,
    front,
    process: () => running,
    async restart() {
      running = await startProcess(environment);
      front.port = Number(new URL(running.address).port);
    },
    reconcile: () =>
      new Promise<string>((resolve) => {
        const env = { PATH: process.env['PATH'] ?? '', TOLLGATE_DATA_DIR: folder, ...store };
        execFile(process.execPath, [RECONCILE], { env }, (error, stdout, stderr) =>
          resolve(`${error === null ? 'good' : 'bad'}\n${stdout}${stderr}`),
        );
      }),
  };
}

for (const postgres of [false, true])
  test(
    `kill -9 in a session: nothing unbilled, nothing billed twice, on ${postgres ? 'PostgreSQL' : 'SQLite'} (promises M-03 to M-06)`,
    { skip: postgres && NO_DATABASE_SERVER },
    async (t) => {
      const { gateway, world, front, process: running, restart, reconcile } = await start(t, { postgres });
      const client = await openText(t, front, world);
      const idle = await openText(t, front, world); // with money held for a response that never comes
      client.say('Hello');
      const { response } = await client.next('response.done');
      client.say('[[pace 20]] [[long 4000]]');
      await client.next('response.created');
      await pause(CHECKPOINT_MS);
      await running().stop('SIGKILL');
      await Promise.all([client.ended(), idle.ended()]);
      const seen = client.count('response.output_text.delta') - (response.usage?.output_tokens ?? 0);
      await restart();
      await assertMoneyAddsUp(gateway, world.account.id);
      const lines = (await requestsOf(gateway, { token_id: world.token.id })).filter(({ id }) => id.includes('/'));
      const outputs = lines.map(({ usage }) => Number(usage?.['output_tokens']));
      assert.equal(outputs[0], response.usage?.output_tokens);
      assert.equal(lines.length, 2);
      const cut = outputs[1] ?? 0;
      assert.ok(cut > 0 && cut <= seen, `${cut} of ${seen} that were seen`);
      const settles = (await ledgerOf(gateway, { account_id: world.account.id })).filter(
        ({ kind }) => kind === 'settle',
      );
      assert.deepEqual(new Set(settles.map(({ request_id: id }) => id)), new Set(lines.map(({ id }) => id)));
      assert.equal(settles.length, lines.length);
      assert.match(await reconcile(), /^good\n(?:.*\n)*.* 0 open holds/);
    },
  );

test('SIGTERM with two workers: a response ends and is settled, then close 1001; idle sessions at once (promise O-01)', async (t) => {
  const { world, front, process: running, reconcile } = await start(t, { settings: { TOLLGATE_WORKERS: '2' } });
  const busy = await openText(t, front, world);
  const idle = await openText(t, front, world);
  busy.say('[[pace 40]] [[long 150]]');
  await busy.next('response.output_text.delta');
  running().child.kill('SIGTERM');
  assert.deepEqual(await idle.ended(), { code: 1001, reason: 'The gateway is stopping.' });
  busy.say('one more');
  assert.equal((await busy.next('error')).error.code, 'overloaded');
  const { response } = await busy.next('response.done');
  assert.equal(response.usage?.output_tokens, 150);
  assert.deepEqual(await busy.ended(), { code: 1001, reason: 'The gateway is stopping.' });
  assert.equal(await running().ended, 0);
  assert.match(await reconcile(), /^good\n(?:.*\n)*.* 0 open holds/);
});
