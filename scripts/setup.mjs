// Installs what the project needs, from any Node >= 20 with npm and nothing else, and makes dist/ for what runs it.
// `setup.mjs start` leaves out development packages on a fresh clone; otherwise everything is installed. Plain JavaScript,
// no dependency.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const inRoot = (...parts) => join(root, ...parts);
const windows = process.platform === 'win32';
const onlyRuntime = process.argv[2] === 'start';
const parent = process.ppid;
const LOOK_MS = 200;
const LAST_MS = 5_000;

/**
 * npm passes a stop to its shell, which may end alone: then this program hears nothing, but has another parent. Its first
 * one may be gone before its first line, which only process 1 shows, unless that is npm's own, as in a container.
 */
function isParentGone() {
  if (process.ppid !== parent) return true;
  if (windows || parent !== 1) return false;
  try {
    return groupOf('self') !== groupOf(1);
  } catch {
    return process.platform === 'darwin';
  }
}

function groupOf(id) {
  return readFileSync(`/proc/${id}/stat`, 'utf8').split(') ').at(-1).split(' ')[2];
}

/** Runs a program to its end. It leads a group of its own, so that a stop ends all that it has started, and then this one. */
async function run(command, args, options = {}) {
  const child = spawn(command, args, { stdio: 'inherit', cwd: root, detached: !windows, ...options });
  let stoppedBy;
  const endAll = (signal) => {
    try {
      if (windows) child.kill(signal);
      else if (child.pid !== undefined) process.kill(-child.pid, signal);
    } catch {
      // All of it has ended.
    }
  };
  const stop = (signal) => {
    if (stoppedBy === undefined) setTimeout(() => endAll('SIGKILL'), LAST_MS).unref();
    stoppedBy ??= signal;
    endAll(signal);
  };
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'];
  for (const signal of signals) process.on(signal, stop);
  const look = setInterval(() => isParentGone() && stop('SIGTERM'), LOOK_MS);
  const code = await new Promise((resolve) => {
    child.on('error', () => resolve(1));
    child.on('exit', resolve);
  });
  clearInterval(look);
  for (const signal of signals) process.off(signal, stop);
  if (stoppedBy === undefined) return code ?? 1;
  endAll('SIGKILL'); // what outlives the leader of its group
  process.kill(process.pid, stoppedBy);
  return new Promise(() => setTimeout(() => process.exit(1), LAST_MS));
}

async function runNpm(...args) {
  const code = process.env.npm_execpath
    ? await run(process.execPath, [process.env.npm_execpath, ...args])
    : await run('npm', args, { shell: windows });
  if (code !== 0) process.exit(code);
}

function installIsStale() {
  const marker = inRoot('node_modules', '.package-lock.json');
  if (!existsSync(marker)) return true;
  if (statSync(marker).mtimeMs < statSync(inRoot('package-lock.json')).mtimeMs) return true;
  return !onlyRuntime && !existsSync(inRoot('node_modules', 'typescript'));
}

function runtimePackage() {
  return `node-${windows ? 'win' : process.platform}-${process.arch}`;
}

function refuse(sentence) {
  console.error(`tollgate: ${sentence}`);
  process.exit(1);
}

/** The same everywhere: the file that version managers read names it, and the platform packages have it. */
const wanted = readFileSync(inRoot('.node-version'), 'utf8').trim();
if (Number(process.versions.node.split('.')[0]) < 20)
  refuse(`Node 20 or newer is needed to set up; this is ${process.version}.`);

if (installIsStale()) {
  const devInstalled = existsSync(inRoot('node_modules', 'typescript'));
  const omitDev = onlyRuntime && !devInstalled;
  console.error(`tollgate: installing packages (once, about ${omitDev ? 'half a minute' : 'a minute'}) ...`);
  await runNpm('ci', '--no-fund', '--no-audit', '--loglevel=error', ...(omitDev ? ['--omit=dev'] : []));
}

// npm 10 loses the link to the pinned runtime when it skips the packages of other platforms.
const binary = inRoot('node_modules', '.bin', windows ? 'node.cmd' : 'node');
if (existsSync(inRoot('node_modules', runtimePackage())) && !existsSync(binary)) {
  await runNpm('rebuild', runtimePackage(), '--ignore-scripts', '--loglevel=error');
}
if (!existsSync(binary) && process.versions.node !== wanted) {
  refuse(
    `no package brings Node ${wanted} to ${process.platform}-${process.arch}, and this is ${process.version}; install Node ${wanted} (nvm, fnm, mise and Volta read .node-version) and run again.`,
  );
}

// With the pinned runtime by its path: the shell that runs npm's script may still remember the old one.
if (process.argv[2] === 'start' || process.argv[2] === 'bench') {
  const node = existsSync(binary) ? binary : process.execPath;
  for (const script of ['scripts/build-server.mjs', 'scripts/build-console.mjs', 'scripts/build-docs.mjs']) {
    const code = await run(node, ['--disable-warning=ExperimentalWarning', script], { shell: windows });
    if (code !== 0) process.exit(code);
  }
}
