// Adds to package-lock.json what npm left out because the index in use does not serve it to this machine: optional packages
// of other platforms, without which `npm ci` refuses the lock, and hashes. Run after every `npm install` (`npm run lock`);
// with --check it changes nothing and fails when something is missing.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { lockProblems, missingPackages, nameOf } from './lock-problems.mjs';

const file = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(file, 'utf8'));

function entryFor({ parent, name, range }) {
  const os = /(android|darwin|linux|win32|windows|freebsd|openbsd|netbsd|sunos|aix|openharmony|wasm32)/.exec(name);
  const cpu = /(arm64|x64|ia32|riscv64|ppc64|s390x|loong64|mips64el|arm|wasm32)/.exec(name.slice(os?.index ?? 0))?.[1];
  const entry = { version: range.replace(/^[\^~]/, ''), optional: true };
  if (parent.dev) entry.dev = true;
  if (cpu) entry.cpu = [cpu];
  if (os && os[1] !== 'wasm32') entry.os = [os[1] === 'windows' ? 'win32' : os[1]];
  if (name.includes('musl')) entry.libc = ['musl'];
  else if (name.includes('gnu')) entry.libc = ['glibc'];
  return entry;
}

/** undefined when the index does not know that version. */
function hashOf(name) {
  try {
    const text = execFileSync('npm', ['view', name, 'dist.integrity'], { encoding: 'utf8', stdio: 'pipe' }).trim();
    return text.startsWith('sha512-') ? text : undefined;
  } catch {
    return undefined;
  }
}

if (process.argv.includes('--check')) {
  const problems = lockProblems(lock);
  for (const problem of problems) console.error(problem);
  process.exit(problems.length > 0 ? 1 : 0);
}

const missing = missingPackages(lock.packages);
for (const one of missing) lock.packages[`node_modules/${one.name}`] = entryFor(one);
const hashless = Object.entries(lock.packages).filter(
  ([path, { integrity, link }]) => path !== '' && !integrity && !link,
);
let hashed = 0;
for (const [path, entry] of hashless) {
  const integrity = hashOf(nameOf(path, entry));
  if (integrity === undefined) continue;
  const { version, ...rest } = entry;
  lock.packages[path] = { version, integrity, ...rest };
  hashed++;
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(
  `package-lock.json: ${missing.length} entries and ${hashed} hashes added, ${hashless.length - hashed} have none`,
);
