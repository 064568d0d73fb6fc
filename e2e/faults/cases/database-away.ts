// PostgreSQL killed, frozen, cut off in mid-commit (FT-03 to FT-05): nothing is served free, nothing is charged twice, and
// the gateways are well again without a restart.
import assert from 'node:assert/strict';
import { pause } from '../../support/wait.ts';
import type { Bench, Fault } from '../command/fault.ts';
import { Skipped } from '../command/skipped.ts';
import { statusOf } from '../gateway-process.ts';
import { OwnPostgres } from '../own-postgres.ts';
import type { Sums } from '../rig/records/four-sums.ts';
import { Load } from '../rig/clients/load.ts';
import { Rig } from '../rig/rig.ts';

const REFUSED_WITHIN_MS = 15_000;
const WELL_AGAIN_WITHIN_MS = 5_000;
/** Bytes of a connection that carries the ledger's statements and their answers. */
const CUT_BYTES = { least: 1, most: 12_000 };

async function startOn(bench: Bench): Promise<{ rig: Rig; postgres: OwnPostgres }> {
  if (process.platform !== 'linux') throw new Skipped('reads /proc');
  const postgres = await OwnPostgres.start();
  bench.atEnd(() => postgres.stop());
  const { dataFolder } = await bench.makeSettings();
  const rig = await Rig.start({ databaseUrl: postgres.url, dataFolder }, { gateways: 2 });
  bench.atEnd(() => rig.stop());
  return { rig, postgres };
}

/** While the store is away: refused in time, nothing reaches the provider, not ready and alive. */
async function checkAway(rig: Rig): Promise<void> {
  await pause(500); // what was admitted before is on its way
  const before = rig.journal.length;
  const calls = await Promise.all(
    Array.from({ length: 10 }, (_, index) => rig.call({ stream: index % 2 === 0, gateway: index % 2 })),
  );
  for (const { status, failure, milliseconds } of calls) {
    assert.equal(status, 503, `a call was answered ${failure ?? status} while the store was away`);
    assert.ok(milliseconds < REFUSED_WITHIN_MS, `refused only after ${milliseconds} ms`);
  }
  for (const { maxTokens } of rig.journal.slice(before).filter(({ status }) => status === 503))
    assert.equal(rig.stub.recordOf(maxTokens), undefined, 'a refused call was served');
  for (const { address } of rig.gateways) {
    assert.equal(await statusOf(`${address}/readyz`), 503);
    assert.equal(await statusOf(`${address}/healthz`), 200);
  }
}

async function untilWell(rig: Rig): Promise<number> {
  const startedAt = Date.now();
  for (const [index, { address }] of rig.gateways.entries()) {
    while ((await statusOf(`${address}/readyz`)) !== 200) {
      assert.ok(Date.now() - startedAt < WELL_AGAIN_WITHIN_MS, `not ready ${WELL_AGAIN_WITHIN_MS} ms after healing`);
      await pause(50);
    }
    assert.equal((await rig.call({ gateway: index })).status, 200);
  }
  return Date.now() - startedAt;
}

async function goAway(
  bench: Bench,
  {
    away,
    back,
    seconds = 3,
  }: { away(postgres: OwnPostgres): unknown; back(postgres: OwnPostgres): unknown; seconds?: number },
): Promise<Sums> {
  const { rig, postgres } = await startOn(bench);
  let longest = 0;
  for (let round = 1; round <= bench.rounds; round++) {
    const load = new Load(rig, { clients: 8, random: bench.random });
    await pause(bench.random.whole(300, 1_500));
    await away(postgres);
    const ending = load.end();
    try {
      await checkAway(rig);
      await pause((bench.seconds ?? seconds) * 1000);
    } finally {
      await back(postgres);
    }
    longest = Math.max(longest, await untilWell(rig));
    await ending;
  }
  for (const { status, failure } of rig.journal)
    assert.ok(status === 200 || status === 503, `a call ended with ${failure ?? status}`);
  bench.note(`well again at most ${longest} ms after healing, without a restart`);
  return rig.reconcile({ timeoutMs: 60_000 });
}

export const killedDatabase: Fault = {
  id: 'FT-03',
  title: 'kill -9 of PostgreSQL under load, then its restart',
  stores: ['postgres'],
  rounds: 2,
  fullRounds: 10,
  run: (bench) => goAway(bench, { away: (postgres) => postgres.kill(), back: (postgres) => postgres.startAgain() }),
};

export const frozenDatabase: Fault = {
  id: 'FT-04',
  title: 'PostgreSQL stopped (SIGSTOP) under load, then continued',
  stores: ['postgres'],
  rounds: 1,
  run: (bench) =>
    goAway(bench, { away: (postgres) => postgres.freeze(), back: (postgres) => postgres.thaw(), seconds: 30 }),
};

export const cutCommits: Fault = {
  id: 'FT-05',
  title: 'connections to PostgreSQL cut after N bytes, N swept, both ways',
  stores: ['postgres'],
  rounds: 60,
  fullRounds: 400,
  async run(bench) {
    const rig = await bench.startRig({ databaseProxy: true });
    const { databaseProxy: proxy } = rig;
    assert.ok(proxy !== undefined);
    const load = new Load(rig, { clients: 12, random: bench.random });
    for (let round = 1; round <= bench.rounds; round++) {
      const after = bench.random.whole(CUT_BYTES.least, CUT_BYTES.most);
      const cutsBefore = proxy.cuts;
      proxy.arm({ after, direction: round % 2 === 0 ? 'up' : 'down', how: 'reset' });
      for (const deadline = Date.now() + 3_000; proxy.cuts === cutsBefore && Date.now() < deadline;) await pause(5);
      await pause(bench.random.whole(0, 150));
    }
    await load.end();
    assert.ok(proxy.cuts >= bench.rounds * 0.8, `only ${proxy.cuts} of ${bench.rounds} cuts were made`);
    for (const { status, failure } of rig.journal)
      assert.ok(status === 200 || status === 503, `a call ended with ${failure ?? status}`);
    for (const { child, lastWords } of rig.gateways) assert.equal(child.exitCode, null, lastWords());
    const answered = rig.journal.filter(({ status }) => status === 200).length;
    bench.note(`${proxy.cuts} cuts; ${answered} of ${rig.journal.length} calls answered, the rest refused with 503`);
    return rig.reconcile();
  },
};
