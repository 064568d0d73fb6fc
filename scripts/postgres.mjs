// Starts a private, real PostgreSQL on a free loopback port for tests and benchmarks, and stops it again.
// The server comes from npm (development dependency `embedded-postgres`); nothing on the machine is used or changed.
import { spawn, spawnSync } from 'node:child_process';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { freemem, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import pg from 'pg';

const NOBODY = 65534;
const asRoot = process.getuid?.() === 0;
const identity = asRoot ? { uid: NOBODY, gid: NOBODY } : {};
const MEMORY = '/dev/shm';
/** Bytes: a run of all tests has a fraction of it at once. */
const CAPACITY = 8 * 2 ** 30;

/** A folder in memory, where a new database costs a quarter of what it costs on a disk; undefined where it is too small. */
export function folderInMemory() {
  if (!existsSync(MEMORY)) return undefined;
  const { bavail, bsize } = statfsSync(MEMORY);
  const allowed = process.constrainedMemory() || Infinity;
  if (Math.min(bavail * bsize, freemem(), allowed) <= CAPACITY) return undefined;
  removeAbandoned();
  return MEMORY;
}

/** What a run left that was killed would stay in memory until the machine starts again. */
function removeAbandoned() {
  for (const name of readdirSync(MEMORY).filter((one) => one.startsWith('tollgate-pg-'))) {
    const folder = join(MEMORY, name);
    const pidFile = join(folder, 'data', 'postmaster.pid');
    if (!existsSync(pidFile) || isAlive(Number(readFileSync(pidFile, 'utf8').split('\n')[0]))) continue;
    rmSync(folder, { recursive: true, force: true });
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/**
 * Starts a server, with its data in a new folder of the given one; resolves with its address and a `stop` that leaves nothing
 * behind. `settings` are of the server and come after those that make it fast; `prefix` are the words of a command that runs
 * the server, such as one that binds it to a core.
 */
export async function startPostgres(parent = tmpdir(), { settings: added = [], prefix = [] } = {}) {
  const native = prepareBinaries();
  const folder = mkdtempSync(join(parent, 'tollgate-pg-'));
  if (asRoot) chownSync(folder, NOBODY, NOBODY);
  const data = join(folder, 'data');
  const init = spawnSync(
    join(native, 'bin/initdb'),
    ['-D', data, '-U', 'tollgate', '--auth=trust', '--no-sync', '--locale=C', '--encoding=UTF8'],
    { ...identity, cwd: folder },
  );
  if (init.status !== 0) throw new Error(`initdb failed: ${String(init.stderr)}`);

  const settings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=400', ...added];
  return { data, ...(await serve({ native, folder, data, port: await freePort(), settings, prefix })) };
}

/** Starts a streaming replica of a server that `startPostgres` has started, on a copy of its data. */
export async function startReplica({ data: source, url }) {
  const native = prepareBinaries();
  const folder = mkdtempSync(join(dirname(dirname(source)), 'tollgate-pg-replica-'));
  if (asRoot) chownSync(folder, NOBODY, NOBODY);
  const data = join(folder, 'data');
  const primary = new pg.Client({ connectionString: url });
  await primary.connect();
  try {
    await primary.query(`select pg_backup_start('replica', true)`);
    // As the user of the server: what it copies belongs to it.
    const copied = spawnSync('cp', ['-a', source, data], identity);
    if (copied.status !== 0) throw new Error(`the data could not be copied: ${String(copied.stderr)}`);
    const { rows } = await primary.query('select labelfile from pg_backup_stop(false)');
    for (const name of ['postmaster.pid', 'postmaster.opts']) rmSync(join(data, name), { force: true });
    for (const [name, text] of Object.entries({ backup_label: rows[0].labelfile, 'standby.signal': '' })) {
      writeFileSync(join(data, name), text);
      if (asRoot) chownSync(join(data, name), NOBODY, NOBODY);
    }
  } finally {
    await primary.end();
  }
  const { port, username } = new URL(url);
  const settings = [
    `primary_conninfo=host=127.0.0.1 port=${port} user=${username}`,
    'fsync=off',
    'max_connections=400',
    'wal_receiver_status_interval=1s',
  ];
  return serve({ native, folder, data, port: await freePort(), settings });
}

async function serve({ native, folder, data, port, settings, prefix = [] }) {
  const words = ['-D', data, '-h', '127.0.0.1', '-p', String(port), '-k', ''];
  const given = settings.flatMap((setting) => ['-c', setting]);
  const [command, ...args] = [...prefix, join(native, 'bin/postgres'), ...words, ...given];
  const server = spawn(command, args, { ...identity, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  await ready(server);
  return {
    url: `postgres://tollgate@127.0.0.1:${port}/postgres`,
    pid: server.pid,
    /** At the exit of the process that started it, which can wait for nothing. */
    endNow() {
      if (server.exitCode !== null || server.signalCode !== null) return;
      server.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
    async stop() {
      if (server.exitCode !== null || server.signalCode !== null)
        return rmSync(folder, { recursive: true, force: true });
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGINT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The binaries, readable by the user the server runs as: a server started by root must run as somebody else. */
function prepareBinaries() {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  const packageFolder = dirname(dirname(require.resolve(`@embedded-postgres/${platform}`)));
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
  const cached = join(tmpdir(), `tollgate-postgres-${version}`);
  if (!existsSync(cached)) {
    const staging = mkdtempSync(join(tmpdir(), 'tollgate-postgres-staging-'));
    spawnSync('chmod', ['755', staging]);
    cpSync(join(packageFolder, 'native'), staging, { recursive: true, verbatimSymlinks: true });
    linkLibraries(staging);
    try {
      renameSync(staging, cached);
    } catch {
      rmSync(staging, { recursive: true, force: true }); // another process was faster
    }
  }
  return cached;
}

/** The package makes these links in an install script, which npm 12 does not run. */
function linkLibraries(native) {
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'));
  for (const { source, target } of links) {
    const link = join(native, target.replace(/^native\//, ''));
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

function ready(server) {
  return new Promise((resolve, reject) => {
    let output = '';
    server.stderr.on('data', (chunk) => {
      if (output !== undefined) output += chunk;
      if (/ready to accept (?:read-only )?connections/.test(output ?? '')) {
        output = undefined;
        resolve();
      }
    });
    server.once('exit', (code) => reject(new Error(`postgres exited with ${code}: ${output}`)));
  });
}
