import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { promisify } from 'node:util';
import { SqliteThread } from './connection.ts';

const run = promisify(execFile);
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-thread-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('what a thread has answered counts, however soon it ends after that', async () => {
  // With several of them the end of one mostly comes before its last answer.
  const threads = Array.from(
    { length: 8 },
    (_, index) => new SqliteThread({ file: join(folder, `${index}.db`), role: 'write' }),
  );
  for (const thread of threads) await thread.statement('select 1', []);
  for (const thread of threads) {
    const last = thread.statement('select 2 as two', []);
    await thread.close();
    assert.deepEqual((await last).rows, [{ two: 2 }]);
    await assert.rejects(thread.statement('select 3', []), /the database thread has ended/);
  }
});

test('a file that cannot be opened is reported to every caller, and keeps no process from ending', async () => {
  const file = join(folder, 'missing', 'a.db');
  const module = new URL('./connection.ts', import.meta.url).href;
  const program = `
    const { SqliteThread } = await import(${JSON.stringify(module)});
    const thread = new SqliteThread({ file: ${JSON.stringify(file)}, role: 'write' });
    await thread.statement('select 1', []).catch((error) => console.log(error.message));
    await thread.statement('select 1', []).catch((error) => console.log(error.message));`;
  writeFileSync(join(folder, 'program.mjs'), program);
  const { stdout } = await run(process.execPath, [join(folder, 'program.mjs')], { timeout: 20_000 });
  assert.match(stdout, /^unable to open database file\nunable to open database file\n$/);
});
