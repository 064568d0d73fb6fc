// Ledger, sweeper and task engine under virtual time, with processes that crash between any two awaits. One seed decides
// everything that happens; a failing one happens again.
import type { LedgerTable } from '../../../server/src/store/tables.ts';
import type { RateLimiter } from '../../../server/src/access/rate-limit/rate-limiter.ts';
import { Ledger } from '../../../server/src/billing/ledger.ts';
import { SILENCE_SECONDS, Sweeper } from '../../../server/src/billing/sweeper.ts';
import { LiveCatalogue } from '../../../server/src/catalogue/live-catalogue.ts';
import { loadCatalogue } from '../../../server/src/catalogue/load-catalogue.ts';
import type { GuardedClient } from '../../../server/src/providers/guarded/guarded-client.ts';
import { Router } from '../../../server/src/routing/candidates.ts';
import { makeSecretBox } from '../../../server/src/shared/secret-box.ts';
import type { Store } from '../../../server/src/store/store.ts';
import type { TaskDependencies } from '../../../server/src/tasks/dependencies.ts';
import { TaskPoller } from '../../../server/src/tasks/poll/poll-tasks.ts';
import { Metrics } from '../../../server/src/telemetry/metrics.ts';
import { makeRandom } from '../random.ts';
import { fillDatabase } from './fill-database.ts';
import { seedIds } from './seed-ids.ts';
import { SimulatedProvider } from './simulated-provider.ts';
import { SimulatedDatabase, simulateStore } from './simulated-store.ts';
import { type Traffic, makeTraffic } from './traffic.ts';
import { type SimulatedProcess, VirtualTime } from './virtual-time.ts';
import type { World, Outcome } from './world.ts';

const NODES = 2;
const CHAOS_MS = 40_000;
const STEP_MS = 500;
const CRASH_CHANCE = 0.04;
const STOP_CHANCE = 0.02;
const OUTAGE_CHANCE = 0.02;
/** Until dead processes are known to be dead, and all that they left has ended. */
const QUIET_MS = 20_000;
const MOST_QUIET = 12;

const secretBox = makeSecretBox('a secret of the simulation');
const metrics = new Metrics();

/** The database is left open for those who check it. */
export async function simulate(seed: number): Promise<Outcome> {
  const [time, random, database] = [new VirtualTime(), makeRandom(seed), await SimulatedDatabase.create()];
  fillDatabase(database, secretBox);
  const restore = time.install();
  const restoreChance = seedIds(seed);
  try {
    const provider = new SimulatedProvider(time, random);
    const outcome: Outcome = {
      crashes: 0,
      stops: 0,
      answered: new Map(),
      taskIds: [],
      provider,
      entries: [],
      database,
    };
    const setUp = simulateStore({ database, time, random, owner: { id: 'set-up', isAlive: true, stoppedUntil: 0 } });
    const opening = LiveCatalogue.open(() =>
      loadCatalogue(setUp.reads, { sandbox: false, sandboxBaseUrl: () => undefined, secretBox }),
    );
    await time.pass(1_000);
    const world: World = { time, random, database, provider, catalogue: await opening, outcome };
    await run(world);
    outcome.entries = database.run('select * from ledger order by id', []).rows as unknown as LedgerTable[];
    return outcome;
  } finally {
    restoreChance();
    restore();
  }
}

interface Node {
  process: SimulatedProcess;
  traffic: Traffic;
}

async function run(world: World): Promise<void> {
  const { time, random, database, outcome } = world;
  const nodes: (Node | undefined)[] = Array.from({ length: NODES }, (_, index) => startNode(world, `proc_${index}`));
  for (let passed = 0; passed < CHAOS_MS; passed += STEP_MS) {
    await time.pass(random.whole(1, STEP_MS * 2));
    if (random.chance(OUTAGE_CHANCE)) database.awayUntil = time.now() + random.whole(100, 5_000);
    for (const [index, node] of nodes.entries()) {
      if (node === undefined) {
        if (random.chance(0.3)) nodes[index] = startNode(world, `proc_${index}_${outcome.crashes}`);
        continue;
      }
      if (random.chance(STOP_CHANCE) && !database.isHeldBy(node.process)) {
        node.process.stoppedUntil = time.now() + random.whole(1_000, 25_000);
        outcome.stops++;
      }
      if (!random.chance(CRASH_CHANCE)) continue;
      outcome.crashes++;
      node.process.isAlive = false;
      database.forget(node.process);
      nodes[index] = undefined;
    }
  }
  for (const node of nodes) node?.traffic.end();
  if (!nodes.some((node) => node !== undefined)) nodes[0] = startNode(world, 'proc_last', false);
  for (let round = 0; round < MOST_QUIET && isBusy(database); round++) {
    await time.pass(QUIET_MS);
    if (round >= 1) bringDeadlines(database);
  }
  for (const node of nodes) if (node !== undefined) node.process.isAlive = false;
}

function isBusy(database: SimulatedDatabase): boolean {
  const { rows } = database.run(
    'select (select count(*) from holds) + (select count(*) from tasks where completed_at is null) as open',
    [],
  );
  return Number(rows[0]?.['open']) > 0;
}

/** What nobody can confirm ends by its deadline, and what a failed look left ends by its lease. */
function bringDeadlines(database: SimulatedDatabase): void {
  database.run(
    "update tasks set deadline = 1, next_poll_at = 1, lease_until = 1 where completed_at is null and state in ('SUBMITTING', 'SUBMIT_UNKNOWN')",
    [],
  );
  database.run('update tasks set next_poll_at = 1, lease_until = 1 where completed_at is null', []);
}

function startNode(world: World, id: string, hasTraffic = true): Node {
  const { time, random, database } = world;
  const process: SimulatedProcess = { id, isAlive: true, stoppedUntil: 0 };
  return time.as(process, () => {
    const store = simulateStore({ database, time, random, owner: process });
    const ledger = new Ledger({ store, clock: time, owner: id });
    const dependencies = dependenciesOf(world, store, id);
    const traffic = makeTraffic({ world, dependencies, ledger });
    const sweeper = new Sweeper({
      store,
      processId: id,
      onError: () => {},
      onSwept: () => {},
      finishEnds: () => ledger.finishEnds(),
    });
    const poller = new TaskPoller(dependencies, { silenceSeconds: SILENCE_SECONDS, onSucceeded: () => {} });
    void sweeper.start().then(() => {
      poller.start();
      if (hasTraffic) traffic.start();
    });
    return { process, traffic };
  });
}

function dependenciesOf({ time, random, catalogue, provider }: World, store: Store, owner: string): TaskDependencies {
  return {
    store,
    catalogue,
    router: new Router({ clock: time, secretBox }),
    client: provider.client,
    limiter: { admit: () => undefined } as unknown as RateLimiter, // no policy, no work
    guarded: {} as GuardedClient,
    clock: time,
    secretBox,
    metrics,
    owner,
    pollMs: 1_000,
    archiveFolder: '/nowhere',
    onDelivery: () => {},
    random: () => random.whole(0, 1_000) / 1_000,
    onError: () => {},
  };
}
