// Adds to package-lock.json the optional platform packages that npm left out because the index in use does not serve
// them; without those entries `npm ci` refuses the lock. Run after every `npm install` (`npm run lock`);
// with --check it changes nothing and fails when an entry is missing.
import { readFileSync, writeFileSync } from 'node:fs';

const file = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(file, 'utf8'));
const packages = lock.packages;
const missing = [];

function isLocked(parent, name) {
  for (let base = parent; ;) {
    if (packages[`${base === '' ? '' : `${base}/`}node_modules/${name}`]) return true;
    if (base === '') return false;
    const up = base.lastIndexOf('/node_modules/');
    base = up < 0 ? '' : base.slice(0, up);
  }
}

function entryFor(parentEntry, name, range) {
  const os = /(android|darwin|linux|win32|windows|freebsd|openbsd|netbsd|sunos|aix|openharmony|wasm32)/.exec(name);
  const cpu = /(arm64|x64|ia32|riscv64|ppc64|s390x|loong64|mips64el|arm|wasm32)/.exec(name.slice(os?.index ?? 0))?.[1];
  const entry = { version: range.replace(/^[\^~]/, ''), optional: true };
  if (parentEntry.dev) entry.dev = true;
  if (cpu) entry.cpu = [cpu];
  if (os && os[1] !== 'wasm32') entry.os = [os[1] === 'windows' ? 'win32' : os[1]];
  if (name.includes('musl')) entry.libc = ['musl'];
  else if (name.includes('gnu')) entry.libc = ['glibc'];
  return entry;
}

for (const [path, entry] of Object.entries(packages)) {
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    if (isLocked(path, name)) continue;
    missing.push(name);
    packages[`node_modules/${name}`] = entryFor(entry, name, range);
  }
}

if (process.argv.includes('--check')) {
  const addresses = Object.entries(packages).filter(([, entry]) => entry.resolved !== undefined);
  if (missing.length > 0)
    console.error(`package-lock.json lacks ${missing.length} optional packages (${missing[0]}, ...): run npm run lock`);
  if (addresses.length > 0)
    console.error(`package-lock.json carries download addresses (${addresses[0][0]}, ...): remove them`);
  process.exit(missing.length + addresses.length > 0 ? 1 : 0);
}
lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`package-lock.json: ${missing.length} entries added`);
