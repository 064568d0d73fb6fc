// The disk is full for the database (FT-08), for logs and for spooled uploads (FT-09): refused while it lasts, well again
// without help, and the ledger as it was.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, closeSync, mkdirSync, openSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pause } from '../../support/wait.ts';
import { type Bench, BOTH, type Fault } from '../command/fault.ts';
import { Skipped } from '../command/skipped.ts';
import { statusOf } from '../gateway-process.ts';
import { OwnPostgres } from '../own-postgres.ts';
import { Rig } from '../rig/rig.ts';

const DISK_MIB = 200;
const BODY_BYTES = 4 * 2 ** 20;

/** A small disk of its own, which only root can mount. */
async function mountSmall(bench: Bench): Promise<string> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) throw new Skipped('needs root to mount a small tmpfs');
  const { dataFolder } = await bench.makeSettings();
  chmodSync(dataFolder, 0o755); // the database's server runs as somebody else
  const folder = join(dataFolder, 'small');
  mkdirSync(folder);
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m`, 'tmpfs', folder]);
  if (mounted.status !== 0) throw new Skipped('a small tmpfs cannot be mounted here');
  chmodSync(folder, 0o777);
  bench.atEnd(() => spawnSync('umount', ['-l', folder]));
  return folder;
}

function fill(folder: string): string {
  const file = join(folder, 'ballast');
  const { bavail, bsize } = statfsSync(folder);
  const handle = openSync(file, 'a');
  for (let left = bavail * bsize; left > 0; left -= 2 ** 20)
    try {
      writeFileSync(handle, Buffer.alloc(Math.min(left, 2 ** 20)));
    } catch {
      break; // full
    }
  closeSync(handle);
  return file;
}

async function startOnSmallDisk(bench: Bench): Promise<{ rig: Rig; folder: string }> {
  const folder = await mountSmall(bench);
  if (bench.store === 'sqlite') {
    const rig = await Rig.start({ databaseUrl: undefined, dataFolder: join(folder, 'data') });
    bench.atEnd(() => rig.stop());
    return { rig, folder };
  }
  const postgres = await OwnPostgres.start(folder);
  bench.atEnd(() => postgres.stop());
  const { dataFolder } = await bench.makeSettings();
  const rig = await Rig.start({ databaseUrl: postgres.url, dataFolder }, { gateways: 2 });
  bench.atEnd(() => rig.stop());
  return { rig, folder };
}

export const fullDisk: Fault = {
  id: 'FT-08',
  title: 'the disk of the database is full, then has room again',
  stores: BOTH,
  rounds: 1,
  async run(bench) {
    const { rig, folder } = await startOnSmallDisk(bench);
    for (let round = 0; round < bench.rounds; round++) {
      for (let call = 0; call < 10; call++) assert.equal((await rig.call()).status, 200);
      const ballast = fill(folder);
      const refused: number[] = [];
      for (const until = Date.now() + 60_000; refused.length < 5 && Date.now() < until;) {
        const entries = await Promise.all(Array.from({ length: 20 }, () => rig.call({ pieces: 30, pieceBytes: 100 })));
        for (const { status, failure } of entries) {
          assert.ok(status === 200 || status === 503, `a call ended with ${failure ?? status}`);
          if (status !== 503) continue;
          refused.push(status);
        }
      }
      assert.ok(refused.length > 0, 'the full disk was never felt');
      for (const { child } of rig.gateways) assert.equal(child.exitCode, null, 'the process lives on');
      rmSync(ballast);
      const freedAt = Date.now();
      while ((await statusOf(`${rig.gateway().address}/readyz`)) !== 200 || (await rig.call()).status !== 200) {
        assert.ok(Date.now() - freedAt < 30_000, 'not well 30 s after there is room again');
        await pause(250);
      }
      bench.note(
        `${refused.length} calls refused with 503; well again ${Date.now() - freedAt} ms after there was room`,
      );
    }
    return rig.reconcile({ timeoutMs: 60_000 });
  },
};

export const fullLogDisk: Fault = {
  id: 'FT-09',
  title: 'logs cannot be written, uploads cannot be spooled',
  stores: BOTH,
  rounds: 3,
  async run(bench) {
    if (process.platform !== 'linux') throw new Skipped('needs /dev/full');
    const full = openSync('/dev/full', 'w');
    bench.atEnd(() => closeSync(full));
    const rig = await bench.startRig({ gateways: 1, start: { output: full, environment: { LOG_LEVEL: 'trace' } } });
    const spool = join(rig.settings.dataFolder, 'spool');
    for (let round = 0; round < bench.rounds; round++) {
      for (let call = 0; call < 50; call++) assert.equal((await rig.call({ stream: call % 2 === 0 })).status, 200);
      rmSync(spool, { recursive: true, force: true });
      writeFileSync(spool, 'in the way');
      const broken = await upload(rig);
      assert.ok(broken >= 500 && broken < 600, `an upload that cannot be spooled was answered ${broken}`);
      assert.equal((await rig.call()).status, 200, 'others go on');
      rmSync(spool);
      const well = await upload(rig);
      assert.ok(well < 500, `with room for the folder an upload was answered ${well}`);
    }
    await pause(1_500); // the log is flushed now and then
    assert.equal((await rig.call()).status, 200);
    assert.equal(rig.gateway().child.exitCode, null, 'the process lives on');
    return rig.reconcile();
  },
};

/** Larger than what is kept in memory; the model has no such endpoint, which is found out after the upload. */
async function upload(rig: Rig): Promise<number> {
  const form = new FormData();
  form.set('model', 'no-such-model');
  form.set('file', new Blob([Buffer.alloc(BODY_BYTES, 7)]), 'sound.wav');
  const response = await fetch(`${rig.gateway().address}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${rig.key}` },
    body: form,
  });
  await response.arrayBuffer();
  return response.status;
}
