// What `npm start` runs (dist/, one bundle) is the same gateway as the sources.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { once } from 'node:events';
import { test } from 'node:test';

const OPERATOR_KEY = 'operator-key-of-this-test';

interface Seen {
  status: number;
  keys: string[];
  /** In the request log, which a process beside the gateway reads. */
  logged: number;
  exit: number | null;
}

async function firstAnswer(file: string): Promise<Seen> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-built-'));
  const child = spawn(process.execPath, [file], {
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      TOLLGATE_DATA_DIR: folder,
      TOLLGATE_OPERATOR_KEY: OPERATOR_KEY,
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    let printed = '';
    for await (const chunk of child.stdout) {
      printed += String(chunk);
      if (printed.includes('curl ')) break;
    }
    const [, address = ''] = /ready at (\S+)/.exec(printed) ?? [];
    const [, key = ''] = /Demo token (\S+)/.exec(printed) ?? [];
    const answer = await fetch(`${address}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify({ model: 'sandbox-chat', messages: [{ role: 'user', content: 'Hello!' }] }),
    });
    const keys = Object.keys((await answer.json()) as object);
    const list = await fetch(`${address}/operator/v1/requests`, {
      headers: { authorization: `Bearer ${OPERATOR_KEY}`, connection: 'close' },
    });
    const { data } = (await list.json()) as { data: object[] };
    child.kill('SIGTERM');
    const [exit] = (await once(child, 'exit')) as [number | null];
    return { status: answer.status, keys, logged: data.length, exit };
  } finally {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

test('the built gateway starts, answers the printed demo token, lists and stops like the sources do', async () => {
  const build = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', 'scripts/build-server.mjs'], {
    encoding: 'utf8',
  });
  assert.equal(build.status, 0, build.stderr);
  const built = await firstAnswer('dist/server/src/main.js');
  assert.deepEqual(built, await firstAnswer('server/src/main.ts'));
  assert.equal(built.status, 200);
  assert.equal(built.logged, 1);
  assert.equal(built.exit, 0);
});

/** A Node of this machine that is too old, as the search path of a newcomer has it. */
function findOldNode(): string | undefined {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const program = join(folder, 'node');
    const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
    if (/^v(?:18|20|22)\./.test(stdout ?? '')) return program;
  }
  return undefined;
}

const oldNode = findOldNode();

test('an old Node gets the name of the needed one', { skip: oldNode === undefined && 'no old Node here' }, () => {
  const { status, stderr } = spawnSync(oldNode ?? '', ['dist/server/src/main.js'], { encoding: 'utf8' });
  assert.equal(status, 1);
  assert.match(
    stderr,
    /^tollgate: Node 24\.10 or newer is needed, this is v\S+ Start with "npm start", which brings it\.\n$/,
  );
});
