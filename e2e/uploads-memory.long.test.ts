// Twenty large uploads at once, each sent to two channels, through a gateway in a process of its own whose memory is watched.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Account } from '#contract/accounts.ts';
import { startSandbox } from '../server/src/sandbox/server.ts';
import { callOperator, OPERATOR_KEY } from './support/gateway.ts';
import { fileOf, filesOf, picture, sha256 } from './support/media.ts';
import { assertMoneyAddsUp } from './support/money.ts';
import { startProcess } from './support/process.ts';

const UPLOADS = 20;
const UPLOAD_BYTES = 30_000_000;
/** Less than all of them together. */
const MOST_GROWTH_MB = 300;
const MODEL = 'sandbox-edits';

function residentMb(pid: number | undefined): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}

const skip = process.platform === 'linux' ? false : 'memory of another process is read from /proc';

test('20 parallel uploads of 30 MB take bounded memory and arrive whole', { skip }, async (t) => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'tollgate-e2e-'));
  t.after(() => rmSync(dataFolder, { recursive: true, force: true }));
  const upstream = await startSandbox();
  t.after(() => upstream.stop());
  const gateway = await startProcess({
    TOLLGATE_DATA_DIR: dataFolder,
    TOLLGATE_OPERATOR_KEY: OPERATOR_KEY,
    TOLLGATE_SANDBOX: 'off',
    LOG_LEVEL: 'error',
  });
  t.after(() => gateway.stop());
  const operator = <T>(method: string, path: string, body?: unknown): Promise<T> =>
    callOperator(gateway.address, { method, path, body });
  const key = await prepare(operator, [
    { base_url: upstream.baseUrl('openai', 'fail-500'), models: { [MODEL]: 'sandbox-first' }, priority: 9 },
    { base_url: upstream.baseUrl('openai'), models: { [MODEL]: 'sandbox-second' } },
  ]);

  const bytes = picture(UPLOAD_BYTES);
  const file = fileOf(bytes, 'large.png', 'image/png');
  const upload = async (): Promise<void> => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ model: MODEL, prompt: 'p', size: '64x64' })) form.append(name, value);
    form.append('image', file);
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`${gateway.address}/v1/images/edits`, { method: 'POST', headers, body: form });
    assert.equal(response.status, 200, await response.text());
  };
  const before = residentMb(gateway.child.pid);
  let peak = before;
  const watch = setInterval(() => (peak = Math.max(peak, residentMb(gateway.child.pid))), 20);
  await Promise.all(Array.from({ length: UPLOADS }, upload)).finally(() => clearInterval(watch));

  t.diagnostic(`resident memory before ${before.toFixed(0)} MB, at most ${peak.toFixed(0)} MB`);
  assert.ok(peak - before < MOST_GROWTH_MB, `it grew by ${(peak - before).toFixed(0)} MB`);
  const arrived = upstream.records.filter(({ status }) => status === 200).map((record) => filesOf(record)[0]?.sha256);
  assert.equal(arrived.length, UPLOADS);
  assert.deepEqual(new Set(arrived), new Set([sha256(bytes)]));
  await assertMoneyAddsUp({ operator });
});

async function prepare(
  operator: <T>(method: string, path: string, body?: unknown) => Promise<T>,
  channels: Record<string, unknown>[],
): Promise<string> {
  const { id } = await operator<Account>('POST', '/accounts', { name: 'uploads' });
  await operator('POST', `/accounts/${id}/credits`, { amount: '10', note: 'test' });
  await operator('PUT', `/models/${MODEL}`, { price: { unit: 'image', amount: '0.01' } });
  for (const [index, channel] of channels.entries())
    await operator('POST', '/channels', {
      name: `uploads-${index}`,
      provider: 'openai',
      keys: ['sandbox'],
      ...channel,
    });
  return (await operator<{ key: string }>('POST', '/tokens', { account_id: id, name: 'uploads' })).key;
}
