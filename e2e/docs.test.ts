// What the documents say is tried: files they name exist, and the calls they show work.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { readConfig } from '../server/src/start/config.ts';
import { startGateway } from '../server/src/gateway.ts';
import { makeLogger } from '../server/src/telemetry/logger.ts';
import { waitUntil } from './support/wait.ts';

const run = promisify(execFile);

/** What the calls of docs/endpoints.md get to hear, in any order. */
const PRINTED = [
  /Remember the milk/,
  /"deleted":\s*true/,
  /"success":true,"object":"list"/,
  /"exact":true/,
  /"background":\s*true/,
  /"type":"message","role":"assistant"/,
  /"input_tokens":\d+\}/,
  /"totalTokens":\d+/,
  /"embedding":\{"values":\[/,
  /"embeddings":\[\{"values":\[/,
  /"name":"models\/sandbox-generate","displayName"/,
];

/** How the answer of a call looks from its first byte to its last. */
function formOf(call: string): RegExp {
  if (call.includes('alt=sse')) return /^data: \{.*"finishReason":"STOP".*\}\s*$/su;
  if (call.includes(':streamGenerateContent')) return /^\[\{.*"finishReason":"STOP".*\}\]\s*$/su;
  if (call.includes('"stream":true')) return /^event: message_start\n.*event: message_stop\ndata: \{.*\}\s*$/su;
  return /^\{.*\}\s*$/su;
}

/** Paths and names of source files; not the ends that a pattern has. */
function sourcesIn(page: string): string[] {
  const named = readFileSync(page, 'utf8').matchAll(
    /(?<![*.\w])((?:[a-z0-9-]+\/)*[a-z0-9-]+(?:\.long)?(?:\.test)?\.(?:ts|mjs))\b/g,
  );
  return [...new Set(Array.from(named, ([, path = '']) => path))];
}

for (const page of ['docs/architecture.md', 'docs/how-a-request-travels.md'])
  test(`every source file that ${page} names exists`, () => {
    const named = sourcesIn(page);
    assert.ok(named.length > 30, `only ${named.length} files are named`);
    for (const path of named) {
      const found = [path, `server/src/${path}`, `scripts/${path}`].some((candidate) => existsSync(candidate));
      // A name that files of protocols have for their role.
      assert.ok(found || globSync(`server/src/protocols/*/**/${path}`).length > 0, path);
    }
  });

test('every source file that CONTRIBUTING and the recipes name exists', () => {
  // Some stand there without the folder that was named before.
  for (const page of ['CONTRIBUTING.md', ...globSync('docs/recipes/*.md')])
    for (const path of sourcesIn(page))
      assert.ok(existsSync(path) || globSync(`{server,cli,e2e,contract}/**/${path}`).length > 0, `${page}: ${path}`);
});

test(
  'every submit of docs/video.md works as it stands, and makes a video',
  { skip: spawnSync('curl', ['--version']).status === 0 ? false : 'curl is not installed' },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-docs-'));
    const settings = { PORT: '0', TOLLGATE_DATA_DIR: folder, LOG_LEVEL: 'silent', TOLLGATE_TASK_POLL_MS: '200' };
    const gateway = await startGateway(readConfig(settings), makeLogger('silent').logger);
    try {
      const key = gateway.firstStart?.demo?.key ?? '';
      const text = readFileSync('docs/video.md', 'utf8').replaceAll('http://127.0.0.1:8080', gateway.address);
      const calls = Array.from(text.matchAll(/```sh\n(curl[\s\S]*?)```/g), ([, call = '']) => call);
      assert.equal(calls.length, 10);
      const ids: string[] = [];
      for (const call of calls) {
        const { stdout } = await run('sh', ['-c', call], { cwd: folder, env: { ...process.env, TOLLGATE_TOKEN: key } });
        const { id, status } = JSON.parse(stdout) as { id?: string; status?: string };
        assert.equal(status, 'queued', `${call}\n${stdout}`);
        ids.push(id ?? '');
      }
      for (const id of ids) {
        await waitUntil(
          async () => {
            const response = await fetch(`${gateway.address}/v1/videos/${id}`, {
              headers: { authorization: `Bearer ${key}` },
            });
            const { status } = (await response.json()) as { status: string };
            assert.notEqual(status, 'failed');
            return status === 'completed';
          },
          `${id} is not done`,
          15_000,
        );
      }
    } finally {
      await gateway.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

test(
  'the journeys of docs/video.md lead from the prompt to the file, by curl and by the vendor’s library',
  { skip: spawnSync('curl', ['--version']).status === 0 ? false : 'curl is not installed' },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-docs-'));
    const settings = { PORT: '0', TOLLGATE_DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'silent' };
    const config = readConfig({ ...settings, TOLLGATE_TASK_POLL_MS: '200' });
    const gateway = await startGateway(config, makeLogger('silent').logger);
    try {
      const text = readFileSync('docs/video.md', 'utf8').replaceAll('http://127.0.0.1:8080', gateway.address);
      const [, byCurl = ''] = /```sh\n(API=[\s\S]*?)```/.exec(text) ?? [];
      const [, byLibrary = ''] = /```js\n([\s\S]*?)```/.exec(text) ?? [];
      const env = { ...process.env, TOLLGATE_TOKEN: gateway.firstStart?.demo?.key ?? '' };
      const { stdout } = await run('sh', ['-ec', byCurl.replace('sleep 5', 'sleep 1')], { cwd: folder, env });
      assert.match(stdout, /"status":"completed"[^]*"object":"list"[^]*"deleted":true/);
      symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
      writeFileSync(join(folder, 'journey.mjs'), byLibrary.replace('5_000', '500'));
      const library = await run(process.execPath, ['journey.mjs'], { cwd: folder, env });
      assert.match(library.stdout, /^task_\w+ completed$/m);
      for (const made of ['lighthouse.mp4', 'lighthouse-2.mp4'])
        assert.equal(readFileSync(join(folder, made)).toString('latin1', 4, 8), 'ftyp', made);
    } finally {
      await gateway.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

test(
  'every call of docs/endpoints.md works as it stands, in order, against a fresh gateway',
  { skip: spawnSync('curl', ['--version']).status === 0 ? false : 'curl is not installed' },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-docs-'));
    const config = readConfig({ PORT: '0', TOLLGATE_DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'silent' });
    const gateway = await startGateway(config, makeLogger('silent').logger);
    try {
      const text = readFileSync('docs/endpoints.md', 'utf8').replaceAll('http://127.0.0.1:8080', gateway.address);
      const blocks = Array.from(text.matchAll(/```sh\n([\s\S]*?)```/g), ([, block = '']) => block);
      const calls = blocks.filter((block) => block.includes('curl'));
      assert.ok(calls.length >= 24, `only ${calls.length} calls`);
      let printed = '';
      const env = { ...process.env, TOLLGATE_TOKEN: gateway.firstStart?.demo?.key ?? '' };
      for (const call of calls) {
        const { stdout } = await run('sh', ['-ec', call.replaceAll('curl -s', 'curl -sf')], { cwd: folder, env });
        if (!call.includes(' > ')) assert.match(stdout, formOf(call), call);
        printed += stdout;
      }
      for (const words of PRINTED) assert.match(printed, words);
      for (const made of ['picture.png', 'speech.wav']) assert.ok(statSync(join(folder, made)).size > 500, made);
    } finally {
      await gateway.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
