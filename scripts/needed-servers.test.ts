import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { neededServers } from './needed-servers.mjs';

const cases: [file: string, needed: { postgres: boolean; redis: boolean }][] = [
  ['server/src/shared/stop-in-order.test.ts', { postgres: false, redis: false }],
  ['server/src/start/config.test.ts', { postgres: false, redis: false }],
  ['e2e/stop.test.ts', { postgres: false, redis: false }],
  ['server/src/start/master-secret.test.ts', { postgres: true, redis: false }],
  ['e2e/secrets.test.ts', { postgres: true, redis: false }],
  ['server/src/access/rate-limit/rate-store.test.ts', { postgres: false, redis: true }],
];
for (const [file, needed] of cases)
  test(`${file} needs ${
    Object.entries(needed)
      .flatMap(([name, is]) => (is ? [name] : []))
      .join() || 'no server'
  }`, () => {
    assert.deepEqual(neededServers([file]), needed);
  });

test('what several files need is the sum, also through modules, circles and started programs', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-needs-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  // Put together, so that this file does not name what it does not need.
  const [database, redis] = ['DATABASE', 'REDIS'].map((name) => `process.env['TEST_${name}_URL']`);
  const first = write('first.test.ts', `import { x } from './through.ts';`);
  write('through.ts', `import {\n  y,\n} from './deep.ts';`);
  write('deep.ts', `import './through.ts';\nexport const y = ${database};`);
  const second = write('second.test.ts', `spawn(fileURLToPath(new URL('./program.ts', import.meta.url)));`);
  write('program.ts', `connect(${redis});`);
  assert.deepEqual(neededServers([first]), { postgres: true, redis: false });
  assert.deepEqual(neededServers([second]), { postgres: false, redis: true });
  assert.deepEqual(neededServers([first, second]), { postgres: true, redis: true });
});
