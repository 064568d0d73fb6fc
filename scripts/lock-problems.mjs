// What is wrong with a lock file: packages that it does not name, download addresses, and packages without the hash by
// which an install knows that it got the right one. Plain JavaScript, no dependency.

export function lockProblems(lock) {
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
  report(
    entries
      .filter(([, { integrity, link }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? '') && !link)
      .map(([path]) => path),
    'packages have no sha512 hash, run npm run lock',
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
