import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { keepCodeWarm } from './keep-code-warm.ts';

const MB = 1_048_576;

test('shapes are kept while the process is small, and given up for memory while it is not', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const flags: string[] = [];
  let resident = 120 * MB;
  keepCodeWarm({ residentBytes: () => resident, setFlag: (flag) => flags.push(flag) });
  assert.deepEqual(flags.splice(0), ['--retain-maps-for-n-gc=100', '--no-memory-reducer-favors-memory']);
  t.mock.timers.tick(8_000);
  assert.deepEqual(flags, [], 'nothing to say while nothing changes');
  resident = 330 * MB;
  t.mock.timers.tick(4_000);
  assert.deepEqual(flags.splice(0), ['--memory-reducer-favors-memory']);
  resident = 150 * MB;
  t.mock.timers.tick(4_000);
  assert.deepEqual(flags, ['--no-memory-reducer-favors-memory']);
});

test('V8 knows the flags, and the process may end', () => {
  const file = new URL('keep-code-warm.ts', import.meta.url).href;
  const script = `import { keepCodeWarm } from '${file}'; import v8 from 'node:v8';
    keepCodeWarm({ residentBytes: () => 0, setFlag: v8.setFlagsFromString });
    keepCodeWarm({ residentBytes: () => Infinity, setFlag: v8.setFlagsFromString });`;
  const args = ['--no-warnings', '--input-type=module', '--eval'];
  const ended = spawnSync(process.execPath, [...args, script], { encoding: 'utf8', timeout: 20_000 });
  assert.deepEqual([ended.status, ended.stdout, ended.stderr], [0, '', '']);
  const unknown = spawnSync(process.execPath, [
    ...args,
    `import v8 from 'node:v8'; v8.setFlagsFromString('--no-such')`,
  ]);
  assert.notEqual(String(unknown.stdout) + String(unknown.stderr), '', 'V8 says when it does not know a flag');
});
