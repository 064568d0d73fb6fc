// Rate windows of two processes (promise B-10): exact over both at any edge of time, and a restart of one resets nothing.
import assert from 'node:assert/strict';
import { pause, waitUntil } from '../../support/wait.ts';
import { BOTH, type Fault } from '../command/fault.ts';
import { addLimited, callOnAndOn, countAdmitted, mostInAnyMinute } from '../rig/clients/limited-calls.ts';
import type { Rig } from '../rig/rig.ts';

const RPM = 120;
const CONCURRENCY = 10;
/** Long enough for a whole window, wherever the minutes of the clock begin, and for the next to open. */
const SECONDS = 66;

/** Many streams at once: no more run than may, whichever process has them. */
async function checkConcurrency(rig: Rig): Promise<void> {
  const key = await addLimited(rig, { concurrency: CONCURRENCY });
  const calls = Array.from({ length: 4 * CONCURRENCY }, (_, index) =>
    rig.call({ key, gateway: index % 2, stream: true, pieces: 20, paceMs: 100 }),
  );
  assert.equal(countAdmitted(await Promise.all(calls)), CONCURRENCY, 'streams at once over both processes');
}

export const sharedRates: Fault = {
  id: 'FT-21-RATES',
  title: 'two processes share the rate windows of a token, one is restarted',
  stores: BOTH,
  rounds: 1,
  async run(bench) {
    const rig = await bench.startRig({ gateways: 2, redis: true });
    await checkConcurrency(rig);
    const key = await addLimited(rig, { rpm: RPM });
    const startedAt = performance.now();
    const calls = callOnAndOn(rig, key, [0, 1, 0, 1]);
    await waitUntil(() => calls.admitted.length >= RPM, 'the window is not used up', 30_000);
    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      await rig.replace(1, signal);
      assert.equal((await rig.call({ key, gateway: 1 })).status, 429, `the window started again after ${signal}`);
    }
    const restartedMs = performance.now() - startedAt;
    const lengthMs = (bench.seconds ?? SECONDS) * 1000;
    await pause(Math.max(0, lengthMs - restartedMs));
    await calls.end();
    const { admitted } = calls;
    const most = mostInAnyMinute(admitted);
    assert.ok(most >= RPM * 0.95 && most <= RPM * 1.05, `${most} of ${RPM} in a minute`);
    if (lengthMs > 65_000) assert.ok(admitted.length > RPM, 'the window never opened again');
    bench.note(`${most} of ${RPM} in the fullest minute, ${CONCURRENCY} of ${CONCURRENCY} at once; 2 restarts of one`);
    return rig.reconcile();
  },
};
