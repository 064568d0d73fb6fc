// kill -9 of a gateway that has ten thousand videos under way, and its start (O-02): it is ready soon, and goes on with them.
import assert from 'node:assert/strict';
import { waitUntil } from '../../support/wait.ts';
import { BOTH, type Fault } from '../command/fault.ts';
import { withStore } from '../reconcile.ts';
import { submitVideo } from '../rig/providers/video-side.ts';
import type { Rig } from '../rig/rig.ts';

const AT_ONCE = 32;
const RESTARTS = 3;
/** Of the promise. */
const READY_MS = 5_000;

export const restartWithTasks: Fault = {
  id: 'O-02',
  title: 'kill -9 of a gateway with 10,000 live tasks, ready again within 5 s',
  stores: BOTH,
  rounds: 10_000,
  async run(bench) {
    const rig = await bench.startRig({ gateways: 1, videos: true });
    assert.ok(rig.videos !== undefined);
    const { stub } = rig.videos;
    stub.script = ['running'];
    await submitAll(rig, bench.rounds);
    const taken: number[] = [];
    for (let restart = 0; restart < RESTARTS; restart++) {
      assert.equal(await liveTasks(rig), bench.rounds, 'live tasks');
      const killedAt = Date.now();
      const { readyAt } = await rig.replace(0, 'SIGKILL');
      taken.push(readyAt - killedAt);
      const before = stub.polls;
      await waitUntil(() => stub.polls > before, 'nobody looks at the tasks', 30_000);
    }
    const slowest = Math.max(...taken);
    assert.ok(slowest < READY_MS, `ready only ${slowest} ms after kill -9`);
    bench.note(`${bench.rounds} live tasks; ready ${taken.join(', ')} ms after kill -9`);
    return undefined;
  },
};

async function submitAll(rig: Rig, count: number): Promise<void> {
  let started = 0;
  const clients = Array.from({ length: AT_ONCE }, async () => {
    while (started < count) {
      const { status } = await submitVideo(rig.gateway().address, rig.key, `live ${started++}`);
      assert.equal(status, 200);
    }
  });
  await Promise.all(clients);
}

function liveTasks({ settings }: Rig): Promise<number> {
  return withStore(settings, async ({ reads }) => {
    const rows = await reads.selectFrom('tasks').select('id').where('completed_at', 'is', null).execute();
    return rows.length;
  });
}
