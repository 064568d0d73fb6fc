// A bad setting stops the start with one sentence that names the variable and never shows a secret (contract 1,
// promise O-10).
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { after, describe, test } from 'node:test';
import { spawnGateway, startProcess } from './support/process.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-settings-'));
after(() => rmSync(folder, { recursive: true, force: true }));
let folders = 0;
const dataFolder = (): string => join(folder, String(++folders));
const file = join(folder, 'a-file');
writeFileSync(file, 'not a folder');

/** One or more for each part of the start that refuses; every bad value is judged in server/src/start/config.test.ts. */
const bad: [string, string][] = [
  ['PORT', '65536'],
  ['HOST', '192.0.2.1'],
  ['TOLLGATE_OPERATOR_KEY', 'hidden'],
  ['TOLLGATE_OIDC_CLIENT_SECRET', 'hidden-word'],
  ['DATABASE_URL', 'mysql://user:hidden-word@127.0.0.1/x'],
  ['TOLLGATE_DATA_DIR', join(file, 'inside-a-file')],
  ['DATABASE_URL', 'postgres://user:hidden-word@127.0.0.1:1/x'],
];

async function assertRefused(settings: Record<string, string>, name: string): Promise<void> {
  const started = spawnGateway({ TOLLGATE_DATA_DIR: dataFolder(), ...settings });
  const code = await started.ended;
  const { stdout, stderr } = started.output();
  assert.equal(code, 1, `it started: ${stdout}`);
  const lines = stderr.trim().split('\n');
  assert.equal(lines.length, 1, stderr);
  assert.match(lines[0] ?? '', new RegExp(`\\b${name}\\b`), stderr);
  assert.equal(stdout, '');
  assert.ok(!stderr.includes('hidden'), stderr);
}

describe('bad settings', { concurrency: 3 }, () => {
  for (const [name, value] of bad)
    test(`${name}=${value.includes(folder) ? 'a path inside a file' : value} stops the start`, () =>
      assertRefused({ [name]: value }, name));

  test('several bad settings are all named, a sentence each', async () => {
    const settings = { PORT: '65536', LOG_LEVEL: 'loud', TOLLGATE_OPERATOR_KEY: 'hidden' };
    const started = spawnGateway({ TOLLGATE_DATA_DIR: dataFolder(), ...settings });
    assert.equal(await started.ended, 1);
    const { stderr } = started.output();
    const named = stderr
      .trim()
      .split('\n')
      .map((line) => /^tollgate: (\w+)/.exec(line)?.[1] ?? line);
    assert.deepEqual(named.sort(), Object.keys(settings).sort(), stderr);
    assert.ok(!stderr.includes('hidden'), stderr);
  });

  test('PORT of another program stops the start', async (t) => {
    const server = createServer().listen(0, '127.0.0.1');
    t.after(() => server.close());
    await once(server, 'listening');
    const address = server.address();
    assert.ok(typeof address === 'object' && address !== null);
    await assertRefused({ PORT: String(address.port) }, 'PORT');
  });

  test('TOLLGATE_SECRET other than the one the database was set up with stops the start (promise A-02)', async () => {
    const settings = { TOLLGATE_DATA_DIR: dataFolder(), LOG_LEVEL: 'silent' };
    const first = await startProcess({ ...settings, TOLLGATE_SECRET: 'the first secret of it' });
    assert.equal(await first.stop(), 0);
    await assertRefused({ ...settings, TOLLGATE_SECRET: 'another secret, hidden' }, 'TOLLGATE_SECRET');
    await assertRefused(settings, 'TOLLGATE_SECRET');
    const again = await startProcess({ ...settings, TOLLGATE_SECRET: 'the first secret of it' });
    assert.equal(await again.stop(), 0);
  });
});
