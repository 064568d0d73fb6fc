import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { keepWarm } from './keep-code-warm.ts';

const MB = 1_048_576;

test('memory is given back by a process that is large and quiet, and again only after it has grown', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const flags: string[] = [];
  let [resident, busy, given] = [220 * MB, 0, 0];
  let isServing = false;
  keepWarm({
    residentBytes: () => resident,
    busyPart: () => busy,
    isServing: () => isServing,
    setFlag: (flag) => flags.push(flag),
    giveBack() {
      given += 1;
      resident -= 100 * MB;
    },
  });
  assert.deepEqual(flags, ['--no-memory-reducer-favors-memory', '--heap-growing-percent=30']);
  const look = (times: number): number => {
    t.mock.timers.tick(4_000 * times);
    return given;
  };
  assert.equal(look(5), 0, 'small');
  [resident, busy] = [500 * MB, 0.5];
  assert.equal(look(5), 0, 'busy');
  busy = 0.01;
  assert.equal(look(1), 0, 'quiet for a moment');
  assert.equal(look(1), 1, 'quiet');
  assert.equal(resident, 400 * MB);
  resident = 420 * MB;
  assert.equal(look(5), 1, 'what it needs is about as large');
  resident = 450 * MB;
  assert.equal(look(1), 2, 'grown by more than a tenth');
  [resident, isServing] = [500 * MB, true];
  assert.equal(look(5), 2, 'somebody is served');
  isServing = false;
  assert.equal(look(2), 3, 'nobody is any more, however large it was before');
});

test('V8 knows the flags, and the process may end', () => {
  const file = new URL('keep-code-warm.ts', import.meta.url).href;
  const args = ['--no-warnings', '--input-type=module', '--eval'];
  const script = `import { keepCodeWarm } from '${file}'; keepCodeWarm({ isServing: () => false });`;
  const ended = spawnSync(process.execPath, [...args, script], { encoding: 'utf8', timeout: 20_000 });
  assert.deepEqual([ended.status, ended.stdout, ended.stderr], [0, '', '']);
  const unknown = spawnSync(process.execPath, [
    ...args,
    `import v8 from 'node:v8'; v8.setFlagsFromString('--no-such')`,
  ]);
  assert.notEqual(String(unknown.stdout) + String(unknown.stderr), '', 'V8 says when it does not know a flag');
});
