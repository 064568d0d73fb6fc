// An upgrade on one machine (issue 33, point 7): a new process takes the port over under load, twice in a row. No connection is
// refused or reset, no stream is cut, every call is charged once.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { onEveryStoreSettings } from '../../server/src/testing/stores.ts';
import { startGatewayProcess } from '../faults/gateway-process.ts';
import { makeRandom } from '../faults/random.ts';
import { Load } from '../faults/rig/clients/load.ts';
import { Rig } from '../faults/rig/rig.ts';
import { waitUntil } from '../support/wait.ts';
import { probeConnections } from './probe-connections.ts';

const STREAMS = 5;
/** In a row: what was taken over can be handed over. */
const UPGRADES = { sqlite: 2, postgres: 1 };

describe('a new process takes over', { concurrency: 2 }, () => {
  onEveryStoreSettings((makeSettings, dialect) => {
    for (const workers of ['1', '2']) {
      const title = `a new process takes the port over under load: nothing is refused, cut or charged twice (workers: ${workers})`;
      test(title, async (t) => {
        const rig = await Rig.start(await makeSettings(), { start: { environment: { TOLLGATE_WORKERS: workers } } });
        t.after(() => rig.stop());
        const { port } = rig.gateway();
        const random = makeRandom(Date.now() % 1_000_000);
        const load = new Load(rig, { clients: 5, random, pauseMs: 10 });
        const probes = probeConnections(port);
        // Also after a failure: clients that go on would keep this process for ever.
        t.after(() => Promise.all([load.end(), probes.end()]));
        for (let upgrade = 0; upgrade < UPGRADES[dialect]; upgrade++) {
          const old = rig.gateway();
          const [calls, probed] = [load.journal.length, probes.made()];
          const streams = Array.from({ length: STREAMS }, () => rig.call({ stream: true, pieces: 100, paceMs: 60 }));
          await waitUntil(() => load.journal.length > calls + 10, 'too little load to prove anything');
          const ended = once(old.child, 'exit') as Promise<[number | null]>;
          const args = ['--take-over'];
          rig.gateways[0] = await startGatewayProcess(rig.settings, { ...rig.start, port, args });
          t.after(() => old.end('SIGKILL'));
          const [code] = await ended;
          assert.equal(code, 0, old.lastWords());
          for (const { status, complete, failure } of await Promise.all(streams))
            assert.deepEqual([status, complete, failure], [200, true, undefined], 'a stream was cut');
          const after = load.journal.length;
          await waitUntil(() => load.journal.length > after + 10, 'the new process does not serve');
          assert.ok(probes.made() > probed + 20);
        }
        await load.end();
        assert.deepEqual(await probes.end(), []);
        assert.deepEqual(
          rig.journal.filter(({ status, complete }) => status !== 200 || !complete),
          [],
        );
        await rig.reconcile();
      });
    }
  });
});
