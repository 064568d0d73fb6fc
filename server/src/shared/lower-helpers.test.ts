import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

/** Names of threads with their nice values, of a process that has lowered its helpers. */
const SCRIPT = `
  import { readdirSync, readFileSync } from 'node:fs';
  import { lowerHelpers } from '${new URL('lower-helpers.ts', import.meta.url).href}';
  lowerHelpers();
  const threads = readdirSync('/proc/self/task').map((thread) => {
    const [, name, rest] = /\\((.*)\\) (.*)/.exec(readFileSync('/proc/self/task/' + thread + '/stat', 'latin1'));
    return [name, rest.split(' ')[16]];
  });
  console.log(JSON.stringify(threads));
`;

test("V8's threads come behind the event loop", { skip: process.platform !== 'linux' }, () => {
  const { stdout } = spawnSync(process.execPath, ['--no-warnings', '--input-type=module', '--eval', SCRIPT], {
    encoding: 'utf8',
    timeout: 20_000,
  });
  const threads = JSON.parse(stdout) as [string, string][];
  const helpers = threads.filter(([name]) => name === 'V8Worker');
  assert.ok(helpers.length > 0, 'the runtime calls them so');
  assert.ok(helpers.every(([, nice]) => nice === '10'));
  assert.ok(threads.filter(([name]) => name !== 'V8Worker').every(([, nice]) => nice === '0'));
});
