#!/usr/bin/env node
// `tollgate`: runs the command line with the Node that the project pins, from any Node that npm works with. Plain JavaScript.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { optionalDependencies, scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const node = pinnedNode() ?? ownNode();
const built = join(root, 'dist', 'server', 'src');
const args = process.argv.slice(2);
// The gateway gets its own process with its own flags; everything else runs the commands.
const isStart = args[0] === 'start' && !args.includes('--help') && !args.includes('-h');
const [program, flags] = isStart
  ? [join(built, 'main.js'), scripts.start.split(' ').filter((word) => word.startsWith('--'))]
  : [existsSync(built) ? join(built, 'tollgate.js') : join(root, 'cli/src/main.ts'), []];
if (isStart && !existsSync(program)) fail('not built yet: run "npm start" once, which builds it.');

const child = spawn(node, ['--disable-warning=ExperimentalWarning', ...flags, program, ...(isStart ? [] : args)], {
  stdio: 'inherit',
  env: { ...process.env, ...(isStart && { npm_lifecycle_event: 'start' }) },
});
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => fail(error.message));
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)));

/** The package of this platform, be it beside this package or inside it. */
function pinnedNode() {
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
  process.stderr.write(`tollgate: ${sentence}\n`);
  process.exit(1);
}
