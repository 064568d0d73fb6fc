// kill -9 of a gateway, at random moments (FT-01) and at named points (FT-02).
import assert from 'node:assert/strict';
import { pause, waitUntil } from '../../support/wait.ts';
import { ABORT_POINTS } from '../armed/abort-points.ts';
import { BOTH, type Fault } from '../command/fault.ts';
import { Load } from '../rig/load.ts';
import { settleAll } from '../rig/settle-all.ts';
import { QUICK_POLLS } from '../rig/video-side.ts';

const ARMED = 'e2e/faults/armed/main.ts';
const START = { environment: QUICK_POLLS };

export const randomKill: Fault = {
  id: 'FT-01',
  title: 'kill -9 of a gateway at a random moment, under mixed traffic',
  stores: BOTH,
  rounds: 6,
  async run(bench) {
    const { random, rounds } = bench;
    const rig = await bench.startRig({ videos: true, start: START });
    const load = new Load(rig, { clients: 16, random, videoShare: 0.2 });
    let [slowest, deadAt] = [0, 0];
    for (let round = 1; round <= rounds; round++) {
      await pause(random.whole(200, 1_800));
      deadAt = Date.now();
      const { readyAt, spawnedAt } = await rig.replace(random.whole(0, rig.gateways.length - 1), 'SIGKILL');
      slowest = Math.max(slowest, readyAt - spawnedAt);
    }
    await load.end();
    bench.note(`${load.calls} calls and submits; the slowest start took ${slowest} ms`);
    return settleAll(bench, rig, { ids: load.taskIds, deadAt });
  },
};

export const namedKill: Fault = {
  id: 'FT-02',
  title: `kill -9 at ${ABORT_POINTS.length} named points between hold and answer`,
  stores: BOTH,
  rounds: 1,
  async run(bench) {
    const { random } = bench;
    const rig = await bench.startRig({ videos: true, start: START });
    const load = new Load(rig, { clients: 10, random, videoShare: 0.3 });
    let deadAt = 0;
    for (let round = 1; round <= bench.rounds; round++) {
      for (const point of ABORT_POINTS) {
        const program = [ARMED, point, String(random.whole(3, 12))];
        const armed = await rig.replace(0, 'SIGKILL', { ...START, program, mayDie: true });
        await waitUntil(
          () => armed.child.signalCode !== null,
          `${point} was never reached: ${armed.lastWords()}`,
          20_000,
        );
        assert.equal(armed.child.signalCode, 'SIGKILL');
        deadAt = Date.now();
        await rig.startAt(0, armed.port);
      }
    }
    await load.end();
    bench.note(`${bench.rounds} times each: ${ABORT_POINTS.join(', ')}; ${load.calls} calls and submits`);
    return settleAll(bench, rig, { ids: load.taskIds, deadAt });
  },
};
