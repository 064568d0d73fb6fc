// kill -9 of a gateway, at random moments (FT-01) and at named points (FT-02).
import assert from 'node:assert/strict';
import type { StubState } from '../../support/video-stub.ts';
import { pause, waitUntil } from '../../support/wait.ts';
import { ABORT_POINTS, type AbortPoint } from '../armed/abort-points.ts';
import { BOTH, type Fault } from '../command/fault.ts';
import { readBooks } from '../reconcile.ts';
import { Load } from '../rig/clients/load.ts';
import { settleAll } from '../rig/records/settle-all.ts';
import { QUICK_POLLS } from '../rig/providers/video-side.ts';
import { checkCutStreams, cutStreams, type CutStreams } from './cut-streams.ts';

const ARMED = 'e2e/faults/armed/main.ts';
const START = { environment: QUICK_POLLS };
/** Videos of a round, by the polls that tell of them. */
const ENDS: readonly StubState[][] = [
  ['queued', 'running', 'succeeded'],
  ['running', 'failed'],
];
/** Of a round, before its gateway is killed. */
const LEAST_ANSWERS = 10;
/** Long streams have a checkpoint by then, and have gone on for more than two seconds since. */
const LONG_MS = 7_000;

export const randomKill: Fault = {
  id: 'FT-01',
  title: 'kill -9 of a gateway at a random moment, under mixed traffic',
  stores: BOTH,
  rounds: 10,
  fullRounds: 200,
  async run(bench) {
    const { random, rounds } = bench;
    const rig = await bench.startRig({ videos: true, start: START });
    const load = new Load(rig, { clients: 16, random, videoShare: 0.2 });
    const answers = (): number => load.journal.filter(({ status, complete }) => status === 200 && complete).length;
    let [slowest, deadAt] = [0, 0];
    for (let round = 1; round <= rounds; round++) {
      const before = answers();
      if (rig.videos !== undefined) rig.videos.stub.script = ENDS[round % ENDS.length] ?? [];
      await waitUntil(
        () => answers() >= before + LEAST_ANSWERS && load.taskIds.length > 3,
        'too little load to prove anything',
        60_000,
      );
      await pause(random.whole(200, 1_800));
      deadAt = Date.now();
      const { readyAt, spawnedAt } = await rig.replace(random.whole(0, rig.gateways.length - 1), 'SIGKILL');
      slowest = Math.max(slowest, readyAt - spawnedAt);
    }
    await load.end();
    bench.note(`${load.calls} calls and submits; the slowest start took ${slowest} ms`);
    const sums = await settleAll(bench, rig, { ids: load.taskIds, deadAt });
    assert.ok(sums.answered > 20, 'too little load to prove anything');
    return sums;
  },
};

export const namedKill: Fault = {
  id: 'FT-02',
  title: `kill -9 at ${ABORT_POINTS.length} named points between hold and answer`,
  stores: BOTH,
  rounds: 1,
  fullRounds: 20,
  async run(bench) {
    const { random } = bench;
    const rig = await bench.startRig({ videos: true, start: START });
    const load = new Load(rig, { clients: 10, random, videoShare: 0.3 });
    let deadAt = 0;
    const cuts: CutStreams[] = [];
    const dieAt = async (point: AbortPoint, time: number, lastingMs = 0): Promise<void> => {
      const program = [ARMED, point, String(time), String(lastingMs)];
      const armed = await rig.replace(0, 'SIGKILL', { ...START, program, mayDie: true });
      const untilDead = (): Promise<void> =>
        waitUntil(() => armed.child.signalCode !== null, `${point} was never reached: ${armed.lastWords()}`, 20_000);
      if (lastingMs > 0) cuts.push(await cutStreams(rig, untilDead));
      else await untilDead();
      assert.equal(armed.child.signalCode, 'SIGKILL');
      deadAt = Date.now();
      await rig.startAt(0, armed.port);
    };
    for (let round = 1; round <= bench.rounds; round++) {
      for (const point of ABORT_POINTS) await dieAt(point, random.whole(3, 12));
      await dieAt('after-first-byte', 1, LONG_MS);
    }
    await load.end();
    bench.note(
      `${bench.rounds === 1 ? 'once' : `${bench.rounds} times`} each: ${ABORT_POINTS.join(', ')}; ${load.calls} calls and submits`,
    );
    const sums = await settleAll(bench, rig, { ids: load.taskIds, deadAt });
    const { judged, behind } = checkCutStreams(await readBooks(rig.settings), cuts);
    assert.ok(judged > 0, 'no stream was long enough to have a checkpoint');
    bench.note(`${judged} long streams cut by the crash: at most ${behind} tokens had come after the last checkpoint`);
    return sums;
  },
};
