// A stop of `npm start` before it serves leaves no process behind, whatever it was doing (promise O-01): npm passes
// the signal to its shell, which ends alone.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { waitUntil } from '../support/wait.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const HANG = 'setInterval(() => {}, 1000);';
const skip = process.platform === 'linux' ? false : 'reads /proc';
let marks = 0;

interface Started {
  npm: ChildProcess;
  /** Where the gateway keeps its data, once it has got so far. */
  dataFolder: string;
  printed(): string;
  /** Command lines of all that this start has begun and that lives, by process. */
  living(): Map<number, string>;
}

function startIn(t: TestContext, folder: string): Started {
  const data = mkdtempSync(join(tmpdir(), 'tollgate-starting-'));
  const dataFolder = join(data, 'data');
  // Not TOLLGATE_...: an unknown setting ends the gateway before any signal.
  const mark = `START_TEST_MARK=${process.pid}-${++marks}`;
  const npm = spawn('npm', ['start'], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'] ?? data,
      PORT: '0',
      TOLLGATE_DATA_DIR: dataFolder,
      START_TEST_MARK: mark.split('=')[1],
    },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  let printed = '';
  npm.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  const living = (): Map<number, string> => {
    const found = new Map<number, string>();
    for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      try {
        if (!readFileSync(`/proc/${id}/environ`, 'latin1').split('\0').includes(mark)) continue;
        found.set(Number(id), readFileSync(`/proc/${id}/cmdline`, 'latin1').replaceAll('\0', ' '));
      } catch {
        // Ended meanwhile.
      }
    }
    return found;
  };
  t.after(() => {
    for (const id of living().keys()) process.kill(id, 'SIGKILL');
    rmSync(data, { recursive: true, force: true });
  });
  return { npm, dataFolder, printed: () => printed, living };
}

/** Not npm's shell, whose line names the same. */
const runs =
  (words: string) =>
  ({ living }: Started): boolean =>
    [...living().values()].some((line) => line.includes(words) && !/^\S*sh /.test(line));

async function checkStopped(
  started: Started,
  signal: NodeJS.Signals,
  isThere: (started: Started) => boolean,
): Promise<void> {
  const { npm, living } = started;
  const isOver = (): boolean => npm.exitCode !== null || npm.signalCode !== null;
  await waitUntil(() => isThere(started) || isOver(), 'it does not get there');
  assert.ok(!isOver(), `npm start ended by itself before ${signal}`);
  // A service manager stops npm; a terminal sends what is typed to all in front of it.
  if (signal === 'SIGTERM') npm.kill(signal);
  else process.kill(-(npm.pid ?? 0), signal);
  await waitUntil(() => isOver() && living().size === 0, 'left behind').catch((error: unknown) => {
    assert.deepEqual([...living().values()], [], String(error));
    throw error;
  });
}

/** A clone that has nothing installed, with the set-up of this one. */
function makeClone(t: TestContext, more: Record<string, unknown> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-clone-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'scripts'));
  for (const name of ['scripts/setup.mjs', '.node-version']) cpSync(join(ROOT, name), join(folder, name));
  const scripts = { prestart: 'node scripts/setup.mjs start', start: 'node main.js', ...more };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'x', version: '0.0.0', scripts }));
  const packages = { '': { name: 'x', version: '0.0.0' } };
  const lock = { name: 'x', version: '0.0.0', lockfileVersion: 3, requires: true, packages };
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
  return folder;
}

/** What `npm start` runs once all is set up. Not here, where the set-up might install again under other tests. */
function makeBuilt(t: TestContext): string {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: { start: string } };
  const folder = makeClone(t, { prestart: 'node --version', start: scripts.start });
  for (const name of ['dist', 'node_modules']) symlinkSync(join(ROOT, name), join(folder, name));
  return folder;
}

const MOMENTS: Record<string, (started: Started) => boolean> = {
  'was started': runs('dist/server/src/main.js'),
  'has made its data folder': ({ dataFolder }) => existsSync(dataFolder),
  'has made its database': ({ dataFolder }) => existsSync(join(dataFolder, 'tollgate.db')),
  serves: ({ printed }) => printed().includes('is ready at'),
};

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`${signal} while packages are installed`, { skip }, async (t) => {
    const folder = makeClone(t, { preinstall: 'node hang-install.mjs' });
    writeFileSync(join(folder, 'hang-install.mjs'), HANG);
    await checkStopped(startIn(t, folder), signal, runs('hang-install.mjs'));
  });

  test(`${signal} while it is built`, { skip }, async (t) => {
    const folder = makeClone(t);
    mkdirSync(join(folder, 'node_modules'));
    const marker = join(folder, 'node_modules/.package-lock.json');
    writeFileSync(marker, '{}');
    utimesSync(marker, new Date(), new Date(Date.now() + 60_000));
    writeFileSync(join(folder, 'scripts/build-server.mjs'), HANG);
    await checkStopped(startIn(t, folder), signal, runs('build-server.mjs'));
  });

  for (const [moment, isThere] of Object.entries(MOMENTS)) {
    // Until the gateway's first line a signal from the terminal ends it whatever it does.
    if (signal === 'SIGINT' && moment === 'was started') continue;
    test(`${signal} when the gateway itself ${moment}`, { skip }, async (t) => {
      await checkStopped(startIn(t, makeBuilt(t)), signal, isThere);
    });
  }
}
