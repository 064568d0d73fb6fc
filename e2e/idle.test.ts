// A gateway without requests sleeps: it is seen from outside by how often its event loop comes awake.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { chatBody } from './support/chat.ts';
import { startProcess } from './support/process.ts';
import { pause } from './support/wait.ts';

const OPERATOR_KEY = 'operator-key-of-the-tests';
/** With a clock that rings a hundred times a second it is more, whatever else there is. */
const MOST_A_SECOND = 60;

function timesAsleep(pid: number): number {
  const status = readFileSync(`/proc/${pid}/task/${pid}/status`, 'utf8');
  return Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1]);
}

/** At the latest when a bound that a busy machine brought about has been lifted. */
async function fallsAsleep(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 10; tries++) {
    const before = timesAsleep(pid);
    await pause(3_000);
    if ((timesAsleep(pid) - before) / 3 < MOST_A_SECOND) return true;
  }
  return false;
}

test('an idle gateway sleeps, looks at its load while requests come, and sleeps again', async (t) => {
  if (process.platform !== 'linux') return t.skip('only Linux tells how often a process comes awake');
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-idle-'));
  const gateway = await startProcess({ TOLLGATE_DATA_DIR: folder, TOLLGATE_OPERATOR_KEY: OPERATOR_KEY });
  t.after(async () => {
    await gateway.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const pid = gateway.child.pid ?? 0;
  const longestLag = async (): Promise<number> => {
    const headers = { authorization: `Bearer ${OPERATOR_KEY}` };
    const text = await (await fetch(`${gateway.address}/metrics`, { headers })).text();
    return Number(/^tollgate_nodejs_eventloop_lag_max_seconds (\S+)/m.exec(text)?.[1]);
  };
  assert.ok(await fallsAsleep(pid), 'before any request');
  assert.equal(await longestLag(), 0);
  const headers = { authorization: `Bearer ${gateway.printed.demoToken}`, 'content-type': 'application/json' };
  const answer = await fetch(`${gateway.address}/v1/chat/completions`, {
    method: 'POST',
    headers,
    body: JSON.stringify(chatBody('sandbox-chat', 'hello')),
  });
  assert.equal(answer.status, 200);
  await answer.text();
  await pause(300);
  assert.ok((await longestLag()) > 0, 'the event loop is looked at');
  assert.ok(await fallsAsleep(pid), 'after a request');
});
