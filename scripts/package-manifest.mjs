// The manifest of the published package. `npm pack` runs it twice: `trim` writes a package.json that names only what the
// built programs use, `restore` puts the one of the repository back. Run alone, `restore` also mends a pack that was cut.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const BUILT = 'dist/server/src';
const KEPT = 'node_modules/.cache/package.json';
/** Fields that only a clone needs. */
const OF_A_CLONE = ['devDependencies', 'imports', 'allowScripts'];

/** The manifest without what the built programs do not name. */
export function trimManifest(manifest, programs) {
  const published = { ...manifest, scripts: { start: manifest.scripts.start } };
  for (const field of OF_A_CLONE) delete published[field];
  published.dependencies = Object.fromEntries(
    Object.entries(manifest.dependencies).filter(([name]) => programs.some((code) => isNamed(name, code))),
  );
  return published;
}

/** By an import, or by a text that a loader gets: both stand in quotes, alone or with a path behind them. */
function isNamed(name, code) {
  return ['"', "'", '`'].some((quote) => code.includes(quote + name + quote) || code.includes(`${quote}${name}/`));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));
  if (process.argv[2] === 'trim') trim();
  else if (existsSync(KEPT)) restore();
}

function trim() {
  if (existsSync(KEPT)) restore();
  // Not by globSync: npm may run this with Node 20, which has none.
  const programs = readdirSync(BUILT, { recursive: true })
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(join(BUILT, name), 'utf8'));
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
  mkdirSync(dirname(KEPT), { recursive: true });
  copyFileSync('package.json', KEPT);
  writeFileSync('package.json', `${JSON.stringify(trimManifest(manifest, programs), null, 2)}\n`);
}

function restore() {
  copyFileSync(KEPT, 'package.json');
  rmSync(KEPT);
}
