import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

/** Tests below tests, hooks, work that goes on beside a test and fails in each way, and work that outlives its test. */
const FILE = `
import { after, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
const seen = [];
before(async () => { await pause(5); seen.push('before'); });
after(() => console.log('# ' + seen.join()));
describe('made later', async () => {
  await pause(5);
  beforeEach(() => seen.push('each'));
  test('one', async (t) => { await pause(3); await t.test('below', async () => { await pause(1); seen.push('below'); }); });
  test('two', async () => { await pause(1); await test('below two', () => pause(2)); });
});
test('rejects beside', async () => { void pause(1).then(() => { throw new Error('beside'); }); await pause(200); });
test('throws in a timer', async () => { setTimeout(() => { throw new Error('timer'); }, 1); await pause(200); });
test('throws in a tick', async () => { process.nextTick(() => { throw new Error('tick'); }); await pause(200); });
test('leaves work behind', () => { setTimeout(() => { throw new Error('late'); }, 30); });
test('good', () => pause(200));
`;
const OTHER = `
import { after, before, test } from 'node:test';
before(() => console.log('# before of the other'));
after(() => console.log('# after of the other'));
test('good too', async () => {});
`;
const BATCH = `
const { test } = await import('node:test');
test('file', () => import('./file.test.mjs'));
test('other', () => import('./other.test.mjs'));
`;
const CONTEXT = new URL('./test-context.mjs', import.meta.url).href;

test('tests, hooks and failures are reported as node:test does by itself', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-context-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const report = (program: string): string => {
    writeFileSync(join(folder, 'program.mjs'), program);
    const args = ['--test-reporter=tap', 'program.mjs'];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, env, encoding: 'utf8' });
    assert.equal(status, 1, stderr);
    return stdout.replaceAll(/duration_ms.*|program\.mjs:\d+:\d+/g, '');
  };
  writeFileSync(join(folder, 'file.test.mjs'), FILE);
  writeFileSync(join(folder, 'other.test.mjs'), OTHER);
  const own = report(BATCH);
  assert.match(own, /# pass 8\n# fail 4\n/);
  assert.match(own, /Test "leaves work behind" .* generated asynchronous/);
  assert.equal(report(`import ${JSON.stringify(CONTEXT)};${BATCH}`), own);
});

test('no promise is followed by a hook', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-context-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  // While a hook follows promises, each of them has a number of its own.
  const program = `
const { executionAsyncId } = await import('node:async_hooks');
const { test } = await import('node:test');
test('it', async () => {
  const seen = new Set();
  for (let round = 0; round < 5; round++) seen.add(await Promise.resolve().then(executionAsyncId));
  console.error(seen.size);
});
`;
  writeFileSync(join(folder, 'own.mjs'), program);
  writeFileSync(join(folder, 'cheap.mjs'), `import ${JSON.stringify(CONTEXT)};${program}`);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const numbers = (name: string): string =>
    spawnSync(process.execPath, [name], { cwd: folder, env, encoding: 'utf8' }).stderr.trim();
  assert.deepEqual([numbers('own.mjs'), numbers('cheap.mjs')], ['5', '1']);
});
