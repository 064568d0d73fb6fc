// `npm test`: static checks, then the tests on SQLite and on a real PostgreSQL and Redis that this command brings itself.
// `npm run test:long` (`--long`) runs the proofs that take minutes, `*.long.test.ts`; CI runs both.
// `npm test -- path ...` runs only the named test files or folders, and starts only the servers that they need;
// `--test-name-pattern=words` and other options of Node's test runner may stand beside the paths.
// A run of all files asks the few that failed a second time, one at a time: what then passes was hurt by its neighbours, is
// named in the last lines, and wants mending, but is no red run. What fails twice is one.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { neededServers } from './needed-servers.mjs';
import { folderInMemory, startPostgres } from './postgres.mjs';
import { startRedis } from './redis.mjs';
import { batchesOf, isLong, writeBatches } from './test-batches.mjs';

/** More than these are not hurt by their neighbours, but broken. */
const MOST_AGAIN = 5;
const words = process.argv.slice(2);
const wantsLong = words.includes('--long');
const options = words.filter((word) => word.startsWith('--') && word !== '--long');
const named = words.filter((word) => !word.startsWith('--'));

if (named.length === 0 && !wantsLong) {
  const check = spawnSync(process.execPath, ['scripts/check.mjs', '--static'], { stdio: 'inherit' });
  if (check.status !== 0) process.exit(check.status ?? 1);
}

const everything = [
  'server/src/**/*.test.ts',
  'contract/src/**/*.test.ts',
  'cli/src/**/*.test.ts',
  'console/src/**/*.test.ts',
  'e2e/**/*.test.ts',
  'scripts/**/*.test.ts',
];
const patterns =
  named.length === 0 ? everything : named.map((path) => (statSync(path).isDirectory() ? `${path}/**/*.test.ts` : path));
const found = globSync(patterns).sort();
const files = named.length === 0 ? found.filter((file) => isLong(file) === wantsLong) : found;
if (files.length === 0) {
  console.error(`no test file matches ${patterns.join(' ')}`);
  process.exit(1);
}

// Tests that start the gateway or open the console need what a start builds.
if (files.some((file) => file.startsWith('e2e'))) {
  for (const script of ['scripts/build-server.mjs', 'scripts/build-console.mjs', 'scripts/build-docs.mjs']) {
    const built = spawnSync(process.execPath, [script], { stdio: 'inherit' });
    if (built.status !== 0) process.exit(built.status ?? 1);
  }
}

const needed = neededServers(files);
const given = process.env.TEST_DATABASE_URL;
// Autovacuum visits every database in turn, of which there are hundreds, each for some seconds. The long proofs meet it.
const settings = wantsLong ? [] : ['autovacuum=off'];
const postgres = given || !needed.postgres ? undefined : await startPostgres(folderInMemory(), { settings });
process.once('exit', () => postgres?.endNow()); // when this program fails: what is left would stay in memory
const databaseUrl = given ?? postgres?.url;
const givenRedis = process.env.TEST_REDIS_URL;
const redis = givenRedis || !needed.redis ? undefined : await startRedis();
const redisUrl = givenRedis ?? redis?.url;
if (redisUrl === undefined && needed.redis)
  console.log('note: no redis-server in PATH and none can be fetched here: tests that need one are skipped');
const templates = mkdtempSync(join(tmpdir(), 'tollgate-test-templates-'));
const environment = {
  TEST_TEMPLATE_FOLDER: templates,
  NODE_ENV: 'test',
  // What one process compiled, the others need not.
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? 'node_modules/.cache/compiled-for-tests',
};
let child;
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child?.kill(signal));

function run(programs, concurrency, more = {}) {
  child = spawn(
    process.execPath,
    [
      '--test',
      `--test-concurrency=${concurrency}`,
      // Only for what hangs: a busy machine takes its time.
      '--test-timeout=900000',
      '--test-reporter=./scripts/test-reporter.mjs',
      '--test-reporter-destination=stdout',
      // A suite without a chosen test does not run its last hooks, and what it started would keep the process.
      ...(options.length > 0 ? ['--test-force-exit'] : []),
      ...options,
      ...programs,
    ],
    {
      stdio: 'inherit',
      env: {
        ...process.env,
        ...environment,
        ...more,
        ...(databaseUrl !== undefined && { TEST_DATABASE_URL: databaseUrl }),
        ...(redisUrl !== undefined && { TEST_REDIS_URL: redisUrl }),
      },
    },
  );
  return new Promise((resolve) => child.once('exit', (status) => resolve(status ?? 1)));
}

// Named files are few, and have a process each.
const programs = named.length === 0 ? writeBatches(batchesOf(files), 'dist/test-batches') : files;
const failedFiles = join(templates, 'failed-files');
// More than can compute at once, because many tests wait most of their time.
let code = await run(
  programs,
  availableParallelism() + 3,
  named.length === 0 ? { TEST_FAILED_FILES: failedFiles } : {},
);
const failed = existsSync(failedFiles) ? [...new Set(readFileSync(failedFiles, 'utf8').trim().split('\n'))] : [];
if (failed.length > 0 && failed.length <= MOST_AGAIN && failed.every((name) => files.includes(name))) {
  console.log(`\nonce more, one at a time: ${failed.join(' ')}\n`);
  code = await run(failed, 1);
  if (code === 0) console.log(`\npassed only alone, to be mended: ${failed.join(' ')}`);
}
await postgres?.stop();
await redis?.stop();
rmSync(templates, { recursive: true, force: true });
process.exit(code);
