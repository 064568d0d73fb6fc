// Makes dist/docs: the pages of docs/ as HTML with a search index, for /docs/guide. Does nothing when all is up to date.
import { existsSync, globSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const TARGET = 'dist/docs';
const MARK = join(TARGET, 'built.txt');

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));

if (isStale()) {
  const started = Date.now();
  const { buildSite } = await import('./docs/build-site.mjs').catch(leaveOut);
  const { pages, problems } = await buildSite(TARGET);
  for (const problem of problems) console.error(`tollgate: ${problem}`);
  writeFileSync(MARK, 'newer than everything the pages were built of\n');
  console.error(`tollgate: ${pages} pages of docs built in ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

/** The gateway runs without its guide. */
function leaveOut(error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  console.error(
    `tollgate: /docs/guide is left out, because a package is missing (npm ci installs it): ${error.message}`,
  );
  process.exit(0);
}

function isStale() {
  if (!existsSync(MARK)) return true;
  const built = statSync(MARK).mtimeMs;
  const sources = globSync(['*.md', 'docs/**/*', 'deploy/**/*', 'scripts/docs/**/*', 'scripts/build-docs.mjs']);
  // A folder is as new as its copy, whatever is in it.
  const files = [...sources, 'package-lock.json'].map((file) => statSync(file)).filter((found) => found.isFile());
  return files.some(({ mtimeMs }) => mtimeMs > built);
}
