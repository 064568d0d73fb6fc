// Starts a private, real Redis (or Valkey) on a free loopback port for tests, and stops it again. The server is the one in
// PATH, else Debian's packages are unpacked into a cache folder; nothing on the machine is changed.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const PACKAGES =
  'redis-server redis-tools libjemalloc2 liblzf1 libatomic1 liblua5.1-0 lua-cjson lua-bitop libhiredis0.14'.split(' ');
const CACHE = join(tmpdir(), `tollgate-redis-${process.arch}`);
const DOWNLOAD_MS = 60_000;
const START_MS = 5_000;

/** Resolves with the server's address, its process id and a `stop`; undefined when no server can be had here. */
export async function startRedis({ port, clusterPort, prefix = [] } = {}) {
  const found = findServer() ?? unpackServer();
  if (found === undefined) return undefined;
  const chosen = port ?? (await freePort());
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-redis-data-'));
  const cluster = clusterPort === undefined ? {} : { 'cluster-enabled': 'yes', 'cluster-port': clusterPort };
  const settings = { port: chosen, bind: '127.0.0.1', save: '', appendonly: 'no', dir: folder, ...cluster };
  const words = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const [command, ...args] = [...prefix, found.command, ...words];
  const environment = { ...process.env, ...found.environment };
  const server = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: environment });
  const ended = new Promise((resolve) => {
    server.once('exit', resolve);
    server.once('error', resolve);
  });
  await ready(server);
  return {
    url: `redis://127.0.0.1:${chosen}`,
    port: chosen,
    pid: server.pid,
    async stop() {
      server.kill('SIGKILL'); // it keeps nothing
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function findServer() {
  for (const folder of (process.env.PATH ?? '').split(delimiter))
    for (const name of ['redis-server', 'valkey-server']) {
      const command = join(folder, name);
      if (folder !== '' && existsSync(command)) return { command, environment: {} };
    }
  return undefined;
}

/** Debian's packages, unpacked and not installed; undefined where that cannot be done. */
function unpackServer() {
  const command = join(CACHE, 'usr/bin/redis-server');
  if (!existsSync(command) && !fillCache()) return undefined;
  const libraries = readdirSync(join(CACHE, 'usr/lib'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name.endsWith('-linux-gnu'))
    .map((entry) => join(CACHE, 'usr/lib', entry.name));
  return { command, environment: { LD_LIBRARY_PATH: libraries.join(delimiter) } };
}

function fillCache() {
  if (process.platform !== 'linux') return false;
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-redis-staging-'));
  const packages = join(folder, 'packages');
  const tree = join(folder, 'tree');
  for (const made of [packages, tree]) mkdirSync(made);
  try {
    const options = { cwd: packages, timeout: DOWNLOAD_MS, stdio: 'ignore' };
    if (spawnSync('apt-get', ['download', ...PACKAGES], options).status !== 0) return false;
    for (const name of readdirSync(packages))
      if (spawnSync('dpkg', ['-x', join(packages, name), tree]).status !== 0) return false;
    if (!existsSync(join(tree, 'usr/bin/redis-server'))) return false;
    try {
      renameSync(tree, CACHE);
    } catch {
      // another process was faster
    }
    return existsSync(join(CACHE, 'usr/bin/redis-server'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
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
    const timer = setTimeout(() => {
      server.kill('SIGKILL');
      reject(new Error(`redis does not start: ${output}`));
    }, START_MS);
    const listen = (chunk) => {
      output += chunk;
      if (!output.includes('eady to accept connections')) return;
      clearTimeout(timer);
      server.stdout.off('data', listen).resume();
      resolve();
    };
    server.stdout.on('data', listen);
    server.stderr.on('data', listen);
    server.once('error', reject);
    server.once('exit', (code) => reject(new Error(`redis exited with ${code}: ${output}`)));
  });
}
