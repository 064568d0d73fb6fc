// A gateway for attacks on money: when its tests have ended, its books are checked twice, by what the operator API shows and
// by the command that operators run.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { assertMoneyAddsUp } from '../support/money.ts';

/** What `npm run reconcile` runs; the test command builds it. */
const MAIN = fileURLToPath(new URL('../../dist/server/src/reconcile.js', import.meta.url));

export async function attackedGateway(): Promise<TestGateway> {
  const gateway = await startTestGateway();
  after(async () => {
    try {
      await assertMoneyAddsUp(gateway);
      await assertReconciled(gateway);
    } finally {
      await gateway.stop();
    }
  });
  return gateway;
}

/** By the command that operators run, on SQLite. */
export async function assertReconciled({ dataFolder }: Pick<TestGateway, 'dataFolder'>): Promise<void> {
  const env = { PATH: process.env['PATH'] ?? '', TOLLGATE_DATA_DIR: dataFolder };
  const failure = await new Promise<string | undefined>((resolve) => {
    execFile(process.execPath, [MAIN], { env }, (error, stdout, stderr) =>
      resolve(error === null ? undefined : stdout + stderr),
    );
  });
  assert.equal(failure, undefined);
}
