import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { bareEnvironment } from './bare-environment.ts';

test('a process beside this one sees nothing of its settings', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-bare-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const program = join(folder, 'program.mjs');
  writeFileSync(program, 'process.send(Object.keys(process.env));\n');
  const child = fork(program, { env: bareEnvironment() });
  const [names] = (await once(child, 'message')) as [string[]];
  const known = ['NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE', 'NODE_COMPILE_CACHE'];
  assert.deepEqual(
    names.filter((name) => !known.includes(name)),
    [],
  );
});
