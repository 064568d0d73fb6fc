// The operators' pages, played: every `sh` block of a page runs in its order, in one shell, on fresh data.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import { OPERATOR_KEY, startTestGateway } from './support/gateway.ts';

const PAGES = ['docs/production.md', 'docs/prices.md'];
const BLOCK = /^```sh\n(.*?)^```$/gms;

async function runShell(script: string, cwd: string, environment: Record<string, string>): Promise<string> {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (printed += String(chunk)));
  const [code] = (await once(child, 'close')) as [number | null];
  assert.equal(code, 0, printed);
  return printed;
}

for (const page of PAGES)
  test(
    `every command of ${page} runs on fresh data`,
    { skip: !existsSync('/bin/bash') && 'bash is not installed' },
    async () => {
      const gateway = await startTestGateway({ settings: { TOLLGATE_SANDBOX: 'off' } });
      const folder = mkdtempSync(join(tmpdir(), 'tollgate-page-'));
      try {
        const program = join(folder, 'tollgate');
        writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${resolve('cli/src/main.ts')}" "$@"\n`);
        chmodSync(program, 0o700);
        const blocks = Array.from(readFileSync(page, 'utf8').matchAll(BLOCK), ([, text = '']) => text);
        assert.ok(blocks.length >= 4, `${page} has ${blocks.length} blocks`);
        // What the settings file makes is of a gateway to come; this one is there already.
        const script = blocks
          .join('\n')
          .replaceAll(/^TOLLGATE_OPERATOR_KEY=.*$/gm, `TOLLGATE_OPERATOR_KEY=${OPERATOR_KEY}`)
          .replaceAll(/^TOLLGATE_SECRET=.*$/gm, 'TOLLGATE_SECRET=a secret that the nodes of a test share')
          .replaceAll(/^set -a;.*$/gm, 'while IFS= read -r line; do export "$line"; done < tollgate.env');
        const printed = await runShell(script, folder, {
          PATH: `${folder}:${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
          HOME: folder,
          NODE_COMPILE_CACHE: resolve('node_modules/.cache/compiled-for-tests'),
          PORT: '0',
          TOLLGATE_URL: gateway.address,
          TOLLGATE_OPERATOR_KEY: OPERATOR_KEY,
          TOLLGATE_DATA_DIR: gateway.dataFolder,
          OPENAI_API_KEY: 'sk-of-the-page',
        });
        if (page === 'docs/production.md') {
          assert.match(printed, /Nothing to do/);
          assert.match(printed, /balance +50/);
          assert.match(printed, /the books agree/);
        }
      } finally {
        await gateway.stop();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );

test('every error code of docs/troubleshooting.md is one of docs/errors.md', () => {
  const codes = Array.from(
    readFileSync('docs/troubleshooting.md', 'utf8').matchAll(/^\| (\d{3}) \| `(\w+)` \|/gm),
    ([, status = '', code = '']) => `| \`${code}\` | ${status} |`,
  );
  assert.ok(codes.length > 8);
  const known = readFileSync('docs/errors.md', 'utf8');
  for (const code of codes) assert.ok(known.includes(code), code);
});
