import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { batchesOf, isLong, writeBatches } from './test-batches.mjs';

const files = globSync(['{server,contract,console}/src/**/*.test.ts', '{e2e,scripts}/**/*.test.ts']).sort();

test('every test file is in exactly one batch', () => {
  const batches = batchesOf(files);
  assert.deepEqual(batches.flat().sort(), files);
  assert.ok(batches.length < files.length / 4, `${batches.length} processes for ${files.length} files`);
});

test('long files are begun first, and those that judge their process have one to themselves', () => {
  const batches = batchesOf(files);
  assert.ok(batches[0]?.length === 1 && isLong(batches[0][0] ?? ''));
  assert.deepEqual(batchesOf(files.filter((file) => !isLong(file)))[0], ['e2e/console/pages.test.ts']);
  const alone = batches.filter(({ length }) => length === 1).flat();
  for (const file of ['server/src/http/bodies/buffered-body.test.ts', 'server/src/relay/deliver-stream.test.ts'])
    assert.ok(alone.includes(file), file);
});

test('files that share a process run one after another, each with its own hooks', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-batch-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const write = (name: string): string => {
    const file = join(folder, `${name}.test.ts`);
    const hook = (kind: string): string => `${kind}(() => console.error('${name} ${kind}'));\n`;
    writeFileSync(
      file,
      `import { after, beforeEach, test } from 'node:test';\n${hook('after')}${hook('beforeEach')}` +
        `await new Promise((resolve) => setTimeout(resolve, 1));\ntest('it', () => console.error('${name} test'));\n`,
    );
    return file;
  };
  const [program = ''] = writeBatches([[write('one'), write('two')]], join(folder, 'programs'));
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  execFileSync('sh', ['-c', '"$0" "$1" 2> "$2"', process.execPath, program, join(folder, 'said')], { env });
  assert.deepEqual(readFileSync(join(folder, 'said'), 'utf8').trim().split('\n'), [
    'one beforeEach',
    'one test',
    'one after',
    'two beforeEach',
    'two test',
    'two after',
  ]);
});
