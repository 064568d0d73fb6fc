// Three nodes on one PostgreSQL and one Redis under load, while one is killed and another is stopped and started again: no
// charge is lost or doubled, no task is stuck, limits hold, and streams on the node that nobody touches go through.
import assert from 'node:assert/strict';
import { pause, waitUntil } from '../../support/wait.ts';
import type { Fault } from '../command/fault.ts';
import { addLimited, callOnAndOn, mostInAnyMinute } from '../rig/clients/limited-calls.ts';
import { Load } from '../rig/clients/load.ts';
import type { Rig } from '../rig/rig.ts';
import { settleAll } from '../rig/records/settle-all.ts';
import { QUICK_POLLS } from '../rig/providers/video-side.ts';

const RPM = 40;
/** Of each node: five that chat, one that asks for videos. */
const CLIENTS = { clients: 6, videoShare: 1 / 6 };

/** Date.now() of the kill. */
async function killAndRestart(rig: Rig): Promise<number> {
  await pause(1_000);
  const killed = rig.gateway(1);
  await killed.end('SIGKILL');
  const deadAt = Date.now();
  await pause(500);
  const stopped = rig.gateway(2);
  const { code } = await stopped.end('SIGTERM');
  assert.equal(code, 0, `the stopped node ended with ${code}: ${stopped.lastWords()}`);
  await Promise.all([rig.startAt(2, stopped.port), rig.startAt(1, killed.port)]);
  return deadAt;
}

export const threeNodes: Fault = {
  id: 'THREE-NODES',
  title: 'three nodes on one PostgreSQL and Redis: one is killed, another is restarted, under load',
  stores: ['postgres'],
  rounds: 6,
  fullRounds: 50,
  async run(bench) {
    const rig = await bench.startRig({ gateways: 3, redis: true, videos: true, start: { environment: QUICK_POLLS } });
    const key = await addLimited(rig, { rpm: RPM });
    const limited = callOnAndOn(rig, key, [0, 1, 2]);
    const { random } = bench;
    const loads = [0, 1, 2].map((gateway) => new Load(rig, { ...CLIENTS, random, gateway, pauseMs: 20 }));
    let deadAt = 0;
    for (let round = 0; round < bench.rounds; round++) deadAt = await killAndRestart(rig);
    await waitUntil(() => limited.refused.length > 0, 'the limit was never reached', 20_000);
    await Promise.all([limited.end(), ...loads.map((load) => load.end())]);
    const sums = await settleAll(bench, rig, { ids: loads.flatMap(({ taskIds }) => taskIds), deadAt });

    const [healthy] = loads;
    const broken = healthy?.journal.filter(
      ({ status, complete, code }) => status !== 200 || !complete || code !== undefined,
    );
    assert.deepEqual(broken, [], 'the node that nobody touched');
    const streams = healthy?.journal.filter(({ stream }) => stream).length ?? 0;
    assert.ok(sums.answered > 60 && streams > 5, `${sums.answered} answers, ${streams} streams: too little load`);
    const most = mostInAnyMinute(limited.admitted);
    // Those whose node died on the way were let in and not answered.
    assert.ok(most >= RPM * 0.8 && most <= RPM * 1.05, `${most} of ${RPM} in a minute`);
    bench.note(
      `${healthy?.journal.length} calls (${streams} streams) on the healthy node, all whole; ${most} of ${RPM} in the fullest minute`,
    );
    return sums;
  },
};
