import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { emptySpool, Spool } from './spool.ts';

const LETTERS = 'a'.repeat(20);

describe('what ended processes left', () => {
  test('is removed, and nothing else', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'tollgate-spool-'));
    t.after(() => rm(folder, { recursive: true }));
    const ended = spawnSync(process.execPath, ['-e', '']).pid;
    const stays = [`tollgate-form-${process.ppid}-${LETTERS}.spool`, `tollgate-form-${ended}.spool`, 'notes.txt'];
    const goes = [ended, process.pid].map((pid) => `tollgate-form-${pid}-${LETTERS}.spool`);
    for (const name of [...stays, ...goes]) await writeFile(join(folder, name), 'x');
    const spool = new Spool(folder, 0);
    await spool.write(Buffer.from('mine'));
    await emptySpool(folder);
    assert.deepEqual((await readdir(folder)).sort(), stays.sort());
    assert.equal((await spool.read(0, 4)).toString(), 'mine');
    await spool.discard();
  });

  test('a folder that does not exist is empty', async () => {
    await emptySpool(join(tmpdir(), 'tollgate-none'));
  });
});

test('bytes stay in memory up to the limit, and are the same from the disk', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-spool-'));
  const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 251));
  for (const memoryBytes of [0, 50_000, 99_999, 100_000]) {
    const spool = new Spool(folder, memoryBytes);
    let waited = 0;
    for (let at = 0; at < bytes.length; at += 1000) {
      const written = spool.write(bytes.subarray(at, at + 1000));
      if (written !== undefined) waited++;
      await written;
    }
    assert.equal(waited, 100 - Math.floor(memoryBytes / 1000));
    assert.deepEqual(await spool.read(0, bytes.length), bytes);
    assert.deepEqual(spool.readNow(49_990, 50_010), bytes.subarray(49_990, 50_010));
    await assert.rejects(spool.read(0, bytes.length + 1), RangeError);
    await spool.discard();
  }
  assert.deepEqual(await readdir(folder), []);
  await rm(folder, { recursive: true });
});
