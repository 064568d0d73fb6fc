// A gateway that is killed at any moment while it exports: the next one goes on, and the files hold the ledger to the nano-unit,
// each entry once (contract-2 12). `npm run export-proof` does the same for minutes, with ClickHouse.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import type { ExportState } from '#contract/exports.ts';
import { wait } from '../server/src/shared/wait.ts';
import { openExistingStore } from '../server/src/store/open-store.ts';
import { makeMigratedDatabase } from '../server/src/testing/templates.ts';
import { booksOfFiles, booksOfStore } from './export-proof/books.ts';
import { callOperator, DATABASE_SERVER, NO_DATABASE_SERVER, OPERATOR_KEY } from './support/gateway.ts';
import { startProcess } from './support/process.ts';
import { waitUntil } from './support/wait.ts';

const KILLS = 3;

async function checkKills(t: TestContext, databaseUrl: string | undefined): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'tollgate-export-'));
  const [dataFolder, files] = [join(scratch, 'data'), join(scratch, 'files')];
  const settings = {
    TOLLGATE_DATA_DIR: dataFolder,
    TOLLGATE_OPERATOR_KEY: OPERATOR_KEY,
    TOLLGATE_SECRET: 'a secret that outlives the process',
    TOLLGATE_EXPORT: `file://${files}`,
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  };
  let gateway = await startProcess(settings);
  t.after(async () => {
    await gateway.stop('SIGKILL');
    rmSync(scratch, { recursive: true, force: true });
  });
  const key = gateway.printed.demoToken ?? '';
  const run = { isOver: false };
  let answered = 0;
  const call = async (): Promise<void> => {
    while (!run.isOver) {
      const body = JSON.stringify({ model: 'sandbox-chat', messages: [{ role: 'user', content: 'x' }] });
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const sent = fetch(`${gateway.address}/v1/chat/completions`, { method: 'POST', headers, body });
      const isGood = await sent.then(async (answer) => (await answer.text()) !== '' && answer.ok).catch(() => false);
      if (isGood) answered++;
      await wait(isGood ? 20 : 100);
    }
  };
  const calls = [call(), call()];
  for (let kills = 0; kills < KILLS; kills++) {
    await wait(1_000 + Math.random() * 4_000);
    await gateway.stop('SIGKILL');
    gateway = await startProcess(settings);
  }
  await waitUntil(() => answered > 20, 'nothing is answered');
  run.isOver = true;
  await Promise.all(calls);
  const store = await openExistingStore({ databaseUrl, dataFolder });
  const isQuiet = async (): Promise<boolean> => {
    const hold = await store.reads.selectFrom('holds').select('id').limit(1).executeTakeFirst();
    const asked = { method: 'GET', path: '/exports' };
    const { data } = await callOperator<{ data: ExportState[] }>(gateway.address, asked);
    return hold === undefined && data.every(({ lag_rows }) => lag_rows === 0);
  };
  await waitUntil(isQuiet, 'holds or lags do not end', 40_000);
  const wanted = await booksOfStore(store);
  await store.close();
  assert.ok(wanted.settled > 0n);
  assert.deepEqual(booksOfFiles(files), wanted);
}

describe('a gateway that is killed while it exports (contract-2 12)', () => {
  test('leaves files that equal the ledger, on SQLite', (t) => checkKills(t, undefined));
  test('leaves files that equal the ledger, on PostgreSQL', { skip: NO_DATABASE_SERVER }, async (t) =>
    checkKills(t, await makeMigratedDatabase(DATABASE_SERVER ?? '')),
  );
});
