// kill -9 of a gateway, at random moments (FT-01) and at named points (FT-02).
import assert from 'node:assert/strict';
import { pause, waitUntil } from '../../support/wait.ts';
import { ABORT_POINTS } from '../armed/abort-points.ts';
import { type Bench, BOTH, type Fault } from '../command/fault.ts';
import { readBooks, untilNoOpenHold } from '../reconcile.ts';
import type { Sums } from '../rig/four-sums.ts';
import { Load } from '../rig/load.ts';
import type { Rig } from '../rig/rig.ts';
import { bringDeadlines, checkTasks, QUICK_POLLS, readTasks } from '../rig/video-side.ts';

const ARMED = 'e2e/faults/armed/main.ts';
const START = { environment: QUICK_POLLS };
/** After it, the others take a silent process for dead. */
const DEAD_MS = 13_000;

export const randomKill: Fault = {
  id: 'FT-01',
  title: 'kill -9 of a gateway at a random moment, under mixed traffic',
  stores: BOTH,
  rounds: 6,
  async run(bench) {
    const { random, rounds } = bench;
    const rig = await bench.startRig({ videos: true, start: START });
    const load = new Load(rig, { clients: 16, random, videoShare: 0.2 });
    let slowest = 0;
    for (let round = 1; round <= rounds; round++) {
      await pause(random.whole(200, 1_800));
      const { readyAt, spawnedAt } = await rig.replace(random.whole(0, rig.gateways.length - 1), 'SIGKILL');
      slowest = Math.max(slowest, readyAt - spawnedAt);
    }
    await load.end();
    bench.note(`${load.calls} calls and submits; the slowest start took ${slowest} ms`);
    return settleAll(bench, rig, load.taskIds);
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
        await rig.startAt(0, armed.port);
      }
    }
    await load.end();
    bench.note(`${bench.rounds} times each: ${ABORT_POINTS.join(', ')}; ${load.calls} calls and submits`);
    return settleAll(bench, rig, load.taskIds);
  },
};

async function settleAll(bench: Bench, rig: Rig, ids: readonly string[]): Promise<Sums> {
  const { settings, videos } = rig;
  assert.ok(videos !== undefined);
  await pause(DEAD_MS);
  const lost = await bringDeadlines(settings);
  const waited = await untilNoOpenHold(settings, 40_000);
  const tasks = await readTasks(settings);
  checkTasks(tasks, await readBooks(settings), { stub: videos.stub, ids });
  bench.note(
    `${tasks.length} video tasks, ${ids.length} answered, ${lost} given up as lost; the last hold ended ${DEAD_MS + waited} ms after the last start`,
  );
  const seen = new Set(ids);
  return rig.reconcile({ videos: tasks.filter(({ id }) => seen.has(id)).map(({ id }) => id) });
}
