// Several processes start on an empty database, and some die on the way (FT-29): it is set up once and whole.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { migrations } from '../../../server/src/store/migrations/index.ts';
import type { StoreSettings } from '../../../server/src/store/open-store.ts';
import { pause } from '../../support/wait.ts';
import { type Bench, BOTH, type Fault } from '../command/fault.ts';
import { freePort, startGatewayProcess } from '../gateway-process.ts';
import { Operator } from '../operator.ts';
import { withStore } from '../reconcile.ts';
import { type MigrationWatch, watchMigration, WATCHED_NAME } from '../rig/migration-watch.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** A migration of an empty database may be over before it was stopped. */
const MOST_TRIES = 20;

export const crashedMigration: Fault = {
  id: 'FT-29',
  title: 'three processes start on an empty database, one dies, every other time in the middle of the migration (O-06)',
  stores: BOTH,
  rounds: 6,
  fullRounds: 100,
  async run(bench) {
    let inTheMiddle = 0;
    for (let round = 0; round < bench.rounds; round++) {
      const isAtRandom = round % 2 === 1;
      const { settings, child, watch } = isAtRandom ? await startDying(bench) : await startAndStop(bench);
      const others = [startGatewayProcess(settings), startGatewayProcess(settings)];
      await pause(bench.random.whole(300, 1_500));
      const progress = await watch.progress();
      const isGone = once(child, 'exit');
      child.kill('SIGKILL');
      await isGone;
      await watch.end();
      if (!isAtRandom) assert.equal(progress, 'under-way', 'the migration was over when its process was killed');
      if (progress === 'under-way') inTheMiddle++;
      await checkOthers(bench, settings, others);
    }
    bench.note(`${inTheMiddle} of ${bench.rounds} died in the middle of the migration`);
    return undefined;
  },
};

interface Dying {
  settings: StoreSettings;
  child: ChildProcess;
  watch: MigrationWatch;
}

async function startDying(bench: Bench): Promise<Dying> {
  const settings = await bench.makeSettings();
  const child = spawn(process.execPath, ['dist/server/src/main.js'], {
    cwd: root,
    stdio: 'ignore',
    env: {
      PATH: process.env['PATH'],
      PORT: String(await freePort()),
      TOLLGATE_DATA_DIR: settings.dataFolder,
      TOLLGATE_SANDBOX: 'off',
      TOLLGATE_SECRET: 'master-secret-of-the-fault-tests',
      ...(settings.databaseUrl !== undefined && { DATABASE_URL: settings.databaseUrl, PGAPPNAME: WATCHED_NAME }),
    },
  });
  bench.atEnd(() => child.kill('SIGKILL'));
  return { settings, child, watch: await watchMigration(settings, child.pid ?? 0) };
}

/** Stands still (SIGSTOP) in the middle of the migration, so that the others wait for it. */
async function startAndStop(bench: Bench): Promise<Dying> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const dying = await startDying(bench);
    const { child, watch } = dying;
    while ((await watch.progress()) === 'not-begun' && child.exitCode === null) await pause(1);
    await pause(bench.random.whole(0, 10));
    child.kill('SIGSTOP');
    if ((await watch.progress()) === 'under-way') return dying;
    child.kill('SIGKILL');
    await watch.end();
  }
  throw new Error(`no process could be stopped in the middle of its migration, of ${MOST_TRIES}`);
}

async function checkOthers(
  bench: Bench,
  settings: StoreSettings,
  others: readonly ReturnType<typeof startGatewayProcess>[],
): Promise<void> {
  const gateways = await Promise.all(others);
  bench.atEnd(() => Promise.all(gateways.map((gateway) => gateway.end('SIGKILL'))));
  const applied = await withStore(settings, async ({ reads }) => {
    const rows = await reads
      .selectFrom('migrations' as never)
      .selectAll()
      .execute();
    return rows.length;
  });
  assert.equal(applied, migrations.length, 'every change was made once');
  for (const { address } of gateways) await new Operator(address).addAccount('1');
  for (const gateway of gateways) {
    assert.equal(gateway.child.exitCode, null, `it ended by itself: ${gateway.lastWords()}`);
    assert.equal((await gateway.end('SIGTERM')).code, 0, gateway.lastWords());
  }
}
