// Several processes start on an empty database, and some die on the way (FT-29): it is set up once and whole.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { migrations } from '../../../server/src/store/migrations/index.ts';
import { pause } from '../../support/wait.ts';
import { BOTH, type Fault } from '../command/fault.ts';
import { freePort, startGatewayProcess } from '../gateway-process.ts';
import { Operator } from '../operator.ts';
import { withStore } from '../reconcile.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

export const crashedMigration: Fault = {
  id: 'FT-29',
  title: 'two processes start at once on an empty database, one dies during the migration',
  stores: BOTH,
  rounds: 6,
  fullRounds: 100,
  async run(bench) {
    for (let round = 0; round < bench.rounds; round++) {
      const settings = await bench.makeSettings();
      const dying = spawn(process.execPath, ['dist/server/src/main.js'], {
        cwd: root,
        stdio: 'ignore',
        env: {
          PATH: process.env['PATH'],
          PORT: String(await freePort()),
          TOLLGATE_DATA_DIR: settings.dataFolder,
          TOLLGATE_SANDBOX: 'off',
          TOLLGATE_SECRET: 'master-secret-of-the-fault-tests',
          ...(settings.databaseUrl !== undefined && { DATABASE_URL: settings.databaseUrl }),
        },
      });
      const isGone = once(dying, 'exit');
      const others = [startGatewayProcess(settings), startGatewayProcess(settings)];
      await pause(bench.random.whole(300, 1_500));
      dying.kill('SIGKILL');
      await isGone;
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
    return undefined;
  },
};
