// The operators' pages, played: every `sh` block of every page runs in its order, in one shell for each page, all against one
// gateway on fresh data. A block that cannot run there says so in its first line, for readers too.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { OPERATOR_KEY, startTestGateway, type TestGateway } from './support/gateway.ts';

const GROUPS = /^## (?:Begin|Operate|Reference)\n(.*?)(?=^## )/gms;
const BLOCK = /^( *)```sh\n(.*?)^ *```$/gms;
const NOT_RUN = /^# not run by the tests( here)?: \S/;
const PASSWORD = 'password-of-the-pages';
/** Pages whose commands need databases of other gateways. */
const PLAYED_ELSEWHERE = new Map([
  ['docs/moving-from-new-api.md', 'e2e/cli/import-docs.test.ts'],
  ['docs/moving-from-litellm.md', 'e2e/cli/import-docs.test.ts'],
]);
/** What the commands of a page must print, beside ending with 0. */
const PRINTED = new Map([
  ['docs/production.md', [/Nothing to do/, /balance +50/, /the books agree/]],
  ['docs/start.md', [/"object":"chat.completion"/, /my-app/]],
  ['docs/money.md', [/"kind":"credit"/, / 0  holds open past their end/]],
  ['docs/watching.md', [/tollgate_build_info\{/]],
]);

const index = readFileSync('docs/README.md', 'utf8');
const pages = [...index.matchAll(GROUPS)].flatMap(([, group = '']) =>
  Array.from(group.matchAll(/^- \[[^\]]+\]\(([a-z-]+\.md)\)/gm), ([, name = '']) => `docs/${name}`),
);

let gateway: TestGateway;
const folder = mkdtempSync(join(tmpdir(), 'tollgate-pages-'));

before(async () => {
  gateway = await startTestGateway({
    settings: { TOLLGATE_TASK_POLL_MS: '200', TOLLGATE_OPERATOR_PASSWORD: PASSWORD },
  });
  const program = join(folder, 'tollgate');
  writeFileSync(
    program,
    `#!/bin/sh\nexec "${process.execPath}" --disable-warning=ExperimentalWarning "${resolve('dist/server/src/tollgate.js')}" "$@"\n`,
  );
  chmodSync(program, 0o700);
});
after(async () => {
  await gateway.stop();
  rmSync(folder, { recursive: true, force: true });
});

function blocksOf(page: string): string[] {
  return Array.from(readFileSync(page, 'utf8').matchAll(BLOCK), ([, indent = '', text = '']) =>
    text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );
}

/** What the settings file of a page makes is of a gateway to come; this one is there already. */
function fitted(script: string): string {
  return script
    .replaceAll(/^TOLLGATE_OPERATOR_KEY=.*$/gm, `TOLLGATE_OPERATOR_KEY=${OPERATOR_KEY}`)
    .replaceAll(/^TOLLGATE_SECRET=.*$/gm, 'TOLLGATE_SECRET=a secret that the nodes of a test share')
    .replaceAll(/^set -a;.*$/gm, 'while IFS= read -r line; do export "$line"; done < tollgate.env');
}

async function runShell(script: string, cwd: string): Promise<string> {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd,
    env: {
      PATH: `${folder}:${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
      HOME: cwd,
      NODE_COMPILE_CACHE: resolve('node_modules/.cache/compiled-for-tests'),
      PORT: '0',
      TOLLGATE_URL: gateway.address,
      TOLLGATE_OPERATOR_KEY: OPERATOR_KEY,
      TOLLGATE_SECRET: 'a secret that the nodes of a test share',
      TOLLGATE_TOKEN: gateway.running.firstStart?.demo?.key ?? '',
      TOLLGATE_DATA_DIR: gateway.dataFolder,
      OPERATOR_PASSWORD: PASSWORD,
      NEW_PASSWORD: `${PASSWORD}-changed`,
      OPENAI_API_KEY: 'sk-of-the-page',
      DEEPSEEK_API_KEY: 'sk-of-the-page',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (printed += String(chunk)));
  const [code] = (await once(child, 'close')) as [number | null];
  assert.equal(code, 0, printed);
  return printed;
}

test('the index names every operator page, and each has a title', () => {
  assert.ok(pages.length >= 18, pages.join(' '));
  for (const page of pages) assert.match(readFileSync(page, 'utf8'), /^# \S/, page);
});

for (const page of pages) {
  const blocks = blocksOf(page);
  if (blocks.length === 0) continue;
  const elsewhere = PLAYED_ELSEWHERE.get(page);
  if (elsewhere !== undefined) {
    test(`the commands of ${page} are played by ${elsewhere}`, () => {
      assert.ok(readFileSync(elsewhere, 'utf8').includes(page));
    });
    continue;
  }
  const skip = !existsSync('/bin/bash') && 'bash is not installed';
  test(`every command of ${page} runs on fresh data (contract-2 11)`, { skip }, async () => {
    const run = blocks.filter((block) => !NOT_RUN.test(block));
    assert.ok(run.length > 0, 'no block of the page runs');
    const cwd = join(folder, page.replace(/\W+/g, '-'));
    mkdirSync(cwd);
    const printed = await runShell(fitted(run.join('\n')), cwd);
    for (const words of PRINTED.get(page) ?? []) assert.match(printed, words);
  });
}

test('every error code of docs/troubleshooting.md is one of docs/errors.md', () => {
  const codes = Array.from(
    readFileSync('docs/troubleshooting.md', 'utf8').matchAll(/^\| (\d{3}) \| `(\w+)` \|/gm),
    ([, status = '', code = '']) => `| \`${code}\` | ${status} |`,
  );
  assert.ok(codes.length > 8);
  const known = readFileSync('docs/errors.md', 'utf8');
  for (const code of codes) assert.ok(known.includes(code), code);
});
