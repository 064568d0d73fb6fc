// The package that npm publishes (contract-2 11): installed in an empty folder it starts the gateway and needs no build.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import { waitUntil } from '../support/wait.ts';

const npm = process.env['npm_execpath'];

function runNpm(folder: string, ...args: string[]): string {
  const [program, first] = npm === undefined ? ['npm', []] : [process.execPath, [npm]];
  const { status, stdout, stderr } = spawnSync(program, [...first, ...args], { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout;
}

/** The files of a clone that is built, with their times, so that nothing in it is stale; packages are only linked. */
function copyBuiltTree(folder: string): void {
  const names = ['package.json', 'package-lock.json', '.node-version', 'README.md', 'LICENSE', 'CHANGELOG.md'];
  for (const name of [...names, 'bin', 'dist', 'deploy', 'scripts', 'server/src/catalogue', ...globSync('docs/*.md')]) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    cpSync(name, join(folder, name), { recursive: true, preserveTimestamps: true });
  }
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  // A lock that is newer than what was installed would have the start install again, through the link.
  const { atime, mtime } = statSync('node_modules/.package-lock.json');
  utimesSync(join(folder, 'package-lock.json'), atime, mtime);
}

/** Path, size and time of every file, to see whether anything was written. */
function inventory(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.startsWith('node_modules'))
    .map((name) => {
      const { size, mtimeMs } = statSync(join(folder, name));
      return `${name} ${size} ${mtimeMs}`;
    })
    .sort();
}

async function answersDemoToken(program: string, args: string[], cwd: string, data: string): Promise<string> {
  const child = spawn(program, args, {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', PORT: '0', TOLLGATE_DATA_DIR: data, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (printed += String(chunk)));
  try {
    await waitUntil(() => printed.includes('curl ') || child.exitCode !== null, 'it does not get ready', 20_000);
    const [, address = ''] = /ready at (\S+)/.exec(printed) ?? [];
    const [, key = ''] = /Demo token (\S+)/.exec(printed) ?? [];
    assert.ok(address, printed);
    const answer = await fetch(`${address}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify({ model: 'sandbox-chat', messages: [{ role: 'user', content: 'Hello!' }] }),
    });
    assert.equal(answer.status, 200, await answer.text());
    const page = await fetch(`${address}/console/`, { headers: { connection: 'close' } });
    assert.equal(page.status, 200);
    return printed;
  } finally {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    await waitUntil(() => child.exitCode !== null || child.signalCode !== null, 'it does not end', 20_000);
  }
}

test('npm pack gives a package that starts in an empty folder without a build (contract-2 11)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-package-'));
  try {
    const clone = join(folder, 'clone');
    copyBuiltTree(clone);
    const before = readFileSync(join(clone, 'package.json'), 'utf8');
    runNpm(clone, 'pack', '--pack-destination', folder, '--loglevel=error');
    assert.equal(readFileSync(join(clone, 'package.json'), 'utf8'), before, 'the manifest of the clone is put back');

    // As npm installs it: the package, and of other packages only those that its manifest names.
    const home = join(folder, 'home');
    const modules = join(home, 'node_modules');
    mkdirSync(modules, { recursive: true });
    const [tarball = ''] = globSync(join(folder, 'tollgate-*.tgz'));
    assert.equal(spawnSync('tar', ['-xzf', tarball, '-C', modules]).status, 0);
    cpSync(join(modules, 'package'), join(modules, 'tollgate'), { recursive: true });
    rmSync(join(modules, 'package'), { recursive: true });
    const manifest = JSON.parse(readFileSync(join(modules, 'tollgate', 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
      optionalDependencies: Record<string, string>;
    };
    assert.equal(manifest.dependencies['vite'], undefined, 'what builds the console is not needed any more');
    for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
      mkdirSync(dirname(join(modules, name)), { recursive: true });
      symlinkSync(resolve('node_modules', name), join(modules, name));
    }
    const bin = join(modules, 'tollgate', 'bin', 'tollgate.mjs');
    await answersDemoToken(process.execPath, [bin, 'start'], home, join(home, 'data'));
    const { stdout } = spawnSync(process.execPath, [bin, '--version'], { cwd: home, encoding: 'utf8' });
    assert.match(stdout, /^\d+\.\d+\.\d+/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('npm start from a built tree writes nothing into it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-tree-'));
  try {
    const clone = join(folder, 'clone');
    copyBuiltTree(clone);
    const before = inventory(clone);
    const [program, args] = npm === undefined ? ['npm', []] : [process.execPath, [npm]];
    await answersDemoToken(program, [...args, 'start'], clone, join(folder, 'data'));
    assert.deepEqual(inventory(clone), before);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
