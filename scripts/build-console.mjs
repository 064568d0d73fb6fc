// Builds the console and the portal into dist/console when something it is made of is newer, and puts a compressed copy beside each file
// worth it. Takes seconds; does nothing when all is up to date.
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const TARGET = 'dist/console';
const MARK = join(TARGET, 'built.txt');

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));

if (isStale()) {
  const started = Date.now();
  process.env.NODE_ENV = 'production';
  const { build } = await import('vite');
  await build({ configFile: 'console/vite.config.ts', logLevel: 'error' });
  for (const file of globSync(`${TARGET}/**/*.{js,css,svg}`)) {
    writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }));
  }
  writeFileSync(MARK, 'newer than everything the console was built of\n');
  console.error(`tollgate: console built in ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

function isStale() {
  if (!existsSync(MARK)) return true;
  const built = statSync(MARK).mtimeMs;
  const sources = globSync([
    'console/**/*',
    'contract/src/**/*',
    'docs/clients/*',
    'package-lock.json',
    'scripts/build-console.mjs',
  ]);
  return sources.some((file) => statSync(file).mtimeMs > built);
}
