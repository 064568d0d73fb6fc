// Rate limits of several workers on one machine without Redis (promise B-10): exact together, and not reset when one dies.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Account } from '#contract/accounts.ts';
import type { Token } from '#contract/tokens.ts';
import { freePort } from './faults/gateway-process.ts';
import { callOperator, OPERATOR_KEY } from './support/gateway.ts';
import { startProcess } from './support/process.ts';
import { waitUntil } from './support/wait.ts';

const skip = process.platform === 'linux' ? false : 'processes are found by /proc';

function workersOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

test('two workers give a token its requests per minute, no more, also after one was killed', { skip }, async (t) => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'tollgate-e2e-'));
  const gateway = await startProcess({
    PORT: String(await freePort()),
    TOLLGATE_DATA_DIR: dataFolder,
    TOLLGATE_OPERATOR_KEY: OPERATOR_KEY,
    TOLLGATE_WORKERS: '2',
    LOG_LEVEL: 'error',
  });
  t.after(async () => {
    await gateway.stop();
    rmSync(dataFolder, { recursive: true, force: true });
  });
  const { address } = gateway;
  const pid = gateway.child.pid ?? 0;
  await waitUntil(() => workersOf(pid).length === 2, 'the second worker does not start');
  const post = <T>(path: string, body: unknown): Promise<T> => callOperator(address, { method: 'POST', path, body });
  const account = await post<Account>('/accounts', { name: 'fleet' });
  await post(`/accounts/${account.id}/credits`, { amount: '10' });
  const rate = { rpm: 20 };
  const token = await post<Token & { key: string }>('/tokens', {
    account_id: account.id,
    name: 'x',
    mode: 'test',
    rate,
  });

  const call = async (): Promise<number> => {
    const response = await fetch(`${address}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token.key}`, 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify({ model: 'sandbox-chat', messages: [{ role: 'user', content: 'hi' }] }),
    });
    await response.arrayBuffer();
    return response.status;
  };
  const count = async (calls: number): Promise<Record<string, number>> => {
    const statuses = await Promise.all(Array.from({ length: calls }, call));
    return Object.fromEntries(
      Map.groupBy(statuses, String)
        .entries()
        .map(([status, all]) => [status, all.length]),
    );
  };
  assert.deepEqual(await count(60), { 200: 20, 429: 40 });

  const [worker = 0] = workersOf(pid);
  process.kill(worker, 'SIGKILL');
  await waitUntil(() => workersOf(pid).length === 2 && !workersOf(pid).includes(worker), 'the worker is not replaced');
  await waitUntil(async () => (await call().catch(() => 0)) === 429, 'it does not answer again');
  assert.deepEqual(await count(20), { 429: 20 });
});
