// Makes dist/ from the TypeScript sources by taking the types out, nothing else: lines stay where they are. Running plain
// JavaScript saves every thread of the gateway the compiler, which is about a third of its memory. Only what is newer
// than its copy is written.
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, relative } from 'node:path';

const TARGET = 'dist';
const sources = globSync(['server/src/**/*.{ts,json}', 'contract/src/**/*.ts']).filter(
  (file) => !/\.test\.ts$|\/testing\/|\/__/.test(file),
);
const wanted = new Set(sources.map(targetOf));

for (const old of globSync(`${TARGET}/{server,contract}/**/*.{js,json}`)) if (!wanted.has(old)) rmSync(old);
let written = 0;
for (const source of sources) {
  const target = targetOf(source);
  if (existsSync(target) && statSync(target).mtimeMs >= statSync(source).mtimeMs) continue;
  mkdirSync(dirname(target), { recursive: true });
  const text = readFileSync(source, 'utf8');
  writeFileSync(target, source.endsWith('.json') ? text : pointAtJavaScript(stripTypeScriptTypes(text), source));
  written++;
}
if (written > 0) console.error(`tollgate: ${written} files made ready in ${TARGET}/`);

function targetOf(source) {
  return join(TARGET, source.replace(/\.ts$/, '.js'));
}

/** './x.ts' -> './x.js', '#contract/x.ts' -> the copy of it, and files found from the root of the project one level deeper. */
function pointAtJavaScript(code, source) {
  const contract = relative(dirname(source), 'contract/src');
  return code
    .replace(/'#contract\/([^']+)\.ts'/g, (_, name) => `'${contract}/${name}.js'`)
    .replace(/'(\.{1,2}\/[^']+)\.ts'/g, "'$1.js'")
    .replace(/'((?:\.\.\/)+)(package\.json|(?:node_modules|dist)\/[^']*)'/g, "'../$1$2'");
}
