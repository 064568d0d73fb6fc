// `npm run check`: format, lint and types, import directions, references, words, translated texts, lock file, then the unit tests. With --static the tests are left out.
import { spawnSync } from 'node:child_process';

const steps = [
  ['format', 'oxfmt', '--check'],
  // Its rules need the types of every file: the errors in them, which `tsc` would work out once more, are at hand.
  ['lint and types', 'oxlint', '--type-aware', '--type-check', '--deny-warnings'],
  ['import directions', process.execPath, 'scripts/check-imports.mjs'],
  ['references to docs/spec', process.execPath, 'scripts/check-references.mjs'],
  ['words of the trade', process.execPath, 'scripts/check-words.mjs'],
  ['texts in every language', process.execPath, 'scripts/check-texts.mjs'],
  ['lock file', process.execPath, 'scripts/complete-lock.mjs', '--check'],
];
if (!process.argv.includes('--static'))
  steps.push([
    'unit tests',
    process.execPath,
    'scripts/run-tests.mjs',
    'server/src',
    'contract/src',
    'cli/src',
    'console/src',
  ]);

for (const [name, command, ...args] of steps) {
  const result = spawnSync(command, args, { encoding: 'utf8', shell: process.platform === 'win32' });
  if (result.status === 0) {
    console.log(`ok  ${name}`);
    continue;
  }
  console.error(`${result.stdout ?? ''}${result.stderr ?? ''}${result.error?.message ?? ''}\nfailed: ${name}`);
  process.exit(1);
}
