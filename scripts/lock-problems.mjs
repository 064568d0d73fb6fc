// What is wrong with a lock file: packages that it does not name, download addresses, and packages without the hash by
// which an install knows that it got the right one. Plain JavaScript, no dependency.

/**
 * Those that may have none are optional binaries of the linter, formatter and bundler for systems other than Linux on these
 * processors, as long as the index serves no hash of their version. On macOS and Windows npm installs them unchecked.
 */
const RUN_ON = new Set(['x64', 'arm64']);

export function lockProblems(lock, unhashed) {
  const entries = Object.entries(lock.packages).filter(([path]) => path !== '');
  const problems = [];
  const report = (names, words) => {
    if (names.length > 0) problems.push(`package-lock.json: ${words}: ${names.join(', ')}`);
  };
  report(
    missingPackages(lock.packages).map(({ name }) => name),
    'optional packages are missing, run npm run lock',
  );
  report(
    entries.filter(([, { resolved, link }]) => resolved !== undefined && !link).map(([path]) => path),
    'download addresses must be removed',
  );
  const allowed = new Set(unhashed);
  const bare = entries.filter(([, { integrity, link }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? '') && !link);
  report(
    bare.filter(([path, entry]) => !allowed.has(nameOf(path, entry)) || isRunHere(entry)).map(([path]) => path),
    'packages have no sha512 hash, run npm run lock',
  );
  const named = new Set(bare.map(([path, entry]) => nameOf(path, entry)));
  report(
    unhashed.filter((name) => !named.has(name)),
    'scripts/unhashed-packages.json names packages that have a hash or are gone',
  );
  return problems;
}

/** Optional packages that others name and the lock does not: without them `npm ci` refuses it. */
export function missingPackages(packages) {
  return Object.entries(packages).flatMap(([path, entry]) =>
    Object.entries(entry.optionalDependencies ?? {})
      .filter(([name]) => !isLocked(packages, path, name))
      .map(([name, range]) => ({ parent: entry, name, range })),
  );
}

function isLocked(packages, parent, name) {
  for (let base = parent; ;) {
    if (packages[`${base === '' ? '' : `${base}/`}node_modules/${name}`]) return true;
    if (base === '') return false;
    const up = base.lastIndexOf('/node_modules/');
    base = up < 0 ? '' : base.slice(0, up);
  }
}

export function nameOf(path, { version }) {
  return `${path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${version}`;
}

function isRunHere({ optional, os = ['linux'], cpu = ['x64'] }) {
  return !optional || (os.includes('linux') && cpu.some((one) => RUN_ON.has(one)));
}
