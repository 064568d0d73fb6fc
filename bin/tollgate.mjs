#!/usr/bin/env node
// `tollgate`: runs the command line with the Node that the project pins, from any Node that npm works with. Plain JavaScript.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const built = join(root, 'dist', 'server', 'src');
const args = process.argv.slice(2);
// The gateway gets its own process with its own flags; everything else runs the commands.
const isStart = args[0] === 'start' && !args.includes('--help') && !args.includes('-h');
/** The gateway, and beside it for a while the one that takes over from it. */
const children = new Set();

const unknown = isStart ? args.slice(1).find((one) => one !== '--take-over' && one !== '--json') : undefined;
if (unknown !== undefined) {
  process.stderr.write(`tollgate: start does not know ${unknown} (add --help for what can be given)\n`);
  process.exit(2);
}
try {
  run(args.slice(1));
} catch (error) {
  process.stderr.write(`tollgate: ${error.message}\n`);
  process.exit(1);
}
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'])
  process.on(signal, () => children.forEach((child) => child.kill(signal)));
// A new version that was installed in the place of this one takes the port over; the old process ends what it has.
if (isStart && process.platform !== 'win32')
  process.on('SIGUSR2', () => {
    if (children.size > 1) return;
    try {
      run(['--take-over']);
    } catch (error) {
      process.stderr.write(`tollgate: the running gateway stays: ${error.message}\n`);
    }
  });

function run(startArgs) {
  // Read again each time: this process may be older than what is installed now.
  const { optionalDependencies, scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const node = pinnedNode(optionalDependencies) ?? ownNode();
  const [program, flags] = isStart
    ? [join(built, 'main.js'), scripts.start.split(' ').filter((word) => word.startsWith('--'))]
    : [existsSync(built) ? join(built, 'tollgate.js') : join(root, 'cli/src/main.ts'), []];
  if (isStart && !existsSync(program)) fail('not built yet: run "npm start" once, which builds it.');
  const given = isStart ? startArgs : args;
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', ...flags, program, ...given], {
    stdio: 'inherit',
    env: { ...process.env, ...(isStart && { npm_lifecycle_event: 'start' }) },
  });
  children.add(child);
  const ended = (code) => {
    children.delete(child);
    if (children.size === 0) process.exit(code);
  };
  child.on('error', (error) => {
    process.stderr.write(`tollgate: ${error.message}\n`);
    ended(1);
  });
  child.on('exit', (code, signal) => ended(code ?? (signal === 'SIGINT' ? 130 : 143)));
}

/** The package of this platform, be it beside this package or inside it. */
function pinnedNode(optionalDependencies) {
  const require = createRequire(import.meta.url);
  for (const name of Object.keys(optionalDependencies ?? {})) {
    try {
      const folder = dirname(require.resolve(`${name}/package.json`));
      const binary = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
      if (existsSync(binary)) return binary;
    } catch {
      // Of another platform.
    }
  }
  return undefined;
}

function ownNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 24 || (major === 24 && minor >= 10)) return process.execPath;
  return fail(
    `Node 24.10 or newer is needed, this is ${process.version}; install the optional packages, or a newer Node.`,
  );
}

function fail(sentence) {
  throw new Error(sentence);
}
