// Test files put together into processes for a run of all of them. To load the server costs a process more than most files
// compute: files that share a process pay for it once. Each file still runs by itself there, one after another, as a test of
// its own name with its own hooks; a file that judges or changes its whole process gets one to itself.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Memory, processor time, timers of the whole process, its settings and its end. */
const ALONE =
  /memoryUsage|[cC]puUsage|expose-gc|exitCode|(?<!t\.)mock\.timers|process\.chdir|process\.env\[\w+\] = |delete process\.env/;
/** A proof that takes minutes: `npm test` leaves it to `npm run test:long`. */
export const isLong = (file) => file.endsWith('.long.test.ts');
/** The slowest of the others; begun first, so that none of them is alone at the end. */
const SLOW = [
  'e2e/console/pages.test.ts',
  'e2e/cli/commands.test.ts',
  'e2e/console/journeys.test.ts',
  'e2e/console/portal.test.ts',
  'e2e/cli/copy.test.ts',
  'e2e/console/hand.test.ts',
  'e2e/videos.test.ts',
  'e2e/relay-stream.test.ts',
];
const MOST_FILES = { e2e: 12, other: 36 };
const CONTEXT = fileURLToPath(new URL('./test-context.mjs', import.meta.url));

/** Lists of files: each is for one process, and the first ones are to be begun first. */
export function batchesOf(files) {
  const plain = files.map((file) => file.split(sep).join('/'));
  const long = [...plain.filter(isLong), ...SLOW.filter((file) => plain.includes(file))];
  const rest = plain.filter((file) => !long.includes(file));
  const alone = rest.filter(isAlone);
  const shared = rest.filter((file) => !alone.includes(file));
  const isE2e = (file) => file.startsWith('e2e/');
  return [
    ...long.map((file) => [file]),
    ...spread(shared.filter(isE2e), MOST_FILES.e2e),
    ...alone.map((file) => [file]),
    ...inGroups(
      shared.filter((file) => !isE2e(file)),
      MOST_FILES.other,
    ),
  ];
}

function isAlone(file) {
  return ALONE.test(readFileSync(file, 'utf8'));
}

/** They all load the whole server, and neighbours are often equally long: each group gets one of them. */
function spread(files, most) {
  const count = Math.ceil(files.length / most);
  return Array.from({ length: count }, (_, group) => files.filter((_file, index) => index % count === group));
}

/** Neighbours, which load much the same, of about the same number. */
function inGroups(files, most) {
  const count = Math.ceil(files.length / most);
  return Array.from({ length: count }, (_, index) =>
    files.slice(Math.floor((index * files.length) / count), Math.floor(((index + 1) * files.length) / count)),
  );
}

/** Writes a program for each batch into the folder; by name they are in their order. */
export function writeBatches(batches, folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const pathOf = (file) => JSON.stringify(relative(resolve(folder), resolve(file)).split(sep).join('/'));
  return batches.map((files, index) => {
    const program = join(folder, `${String(index + 1).padStart(3, '0')}.test.mjs`);
    const lines = files.map((file) => `test(${JSON.stringify(file)}, () => import(${pathOf(file)}));\n`);
    writeFileSync(
      program,
      `import ${pathOf(CONTEXT)};\nconst { test } = await import('node:test');\n${lines.join('')}`,
    );
    return program;
  });
}
