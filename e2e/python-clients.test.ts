// The short form of `npm run clients`: the vendors' Python packages, where Python and they are installed (or a folder with them is
// named by TOLLGATE_CLIENTS_PYTHON). Everything that the drivers check must work or be a named loss.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { readConfig } from '../server/src/start/config.ts';
import { startGateway } from '../server/src/gateway.ts';
import { makeLogger } from '../server/src/telemetry/logger.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';

const run = promisify(execFile);
const python = process.env['TOLLGATE_CLIENTS_PYTHON'] ?? 'python3';
const drivers = {
  openai: 'openai_sdk.py',
  anthropic: 'anthropic_sdk.py',
  'google.genai': 'google_genai_sdk.py',
};

for (const [module, driver] of Object.entries(drivers)) {
  const isThere = spawnSync(python, ['-c', `import ${module}`]).status === 0;
  const skip = isThere ? false : `the Python package ${module} is not installed (scripts/clients/requirements.txt)`;

  test(`${driver}: every check works or names its loss`, { skip }, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-python-'));
    const settings = { PORT: '0', TOLLGATE_DATA_DIR: folder, LOG_LEVEL: 'silent' };
    const gateway = await startGateway(readConfig(settings), makeLogger('silent').logger);
    t.after(async () => {
      await gateway.stop();
      rmSync(folder, { recursive: true, force: true });
    });
    const env = {
      ...process.env,
      TOLLGATE_URL: gateway.address,
      TOLLGATE_TOKEN: gateway.firstStart?.demo?.key ?? '',
      PYTHONDONTWRITEBYTECODE: '1',
    };
    const { stdout } = await run(python, [join('scripts', 'clients', 'python', driver)], { env });
    const reports = stdout
      .split('\n')
      .filter((line) => line.startsWith('{"check"'))
      .map((line) => JSON.parse(line) as { check: string; result: string; note: string });
    assert.ok(reports.length >= 7, stdout);
    assert.deepEqual(
      reports.filter(({ result }) => result === 'no'),
      [],
    );
  });
}
