// `npm test`: static checks, then every test on SQLite and on a real PostgreSQL and Redis that this command brings itself.
// `npm test -- path ...` runs only the named test files or folders, and starts only the servers that they need;
// `--test-name-pattern=words` and other options of Node's test runner may stand beside the paths.
import { spawn, spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { neededServers } from './needed-servers.mjs';
import { startPostgres } from './postgres.mjs';
import { startRedis } from './redis.mjs';
import { batchesOf, writeBatches } from './test-batches.mjs';

const words = process.argv.slice(2);
const options = words.filter((word) => word.startsWith('--'));
const named = words.filter((word) => !word.startsWith('--'));

if (named.length === 0) {
  const check = spawnSync(process.execPath, ['scripts/check.mjs', '--static'], { stdio: 'inherit' });
  if (check.status !== 0) process.exit(check.status ?? 1);
}

const everything = [
  'server/src/**/*.test.ts',
  'contract/src/**/*.test.ts',
  'console/src/**/*.test.ts',
  'e2e/**/*.test.ts',
  'scripts/**/*.test.ts',
];
const patterns =
  named.length === 0 ? everything : named.map((path) => (statSync(path).isDirectory() ? `${path}/**/*.test.ts` : path));
const files = globSync(patterns).sort();
if (files.length === 0) {
  console.error(`no test file matches ${patterns.join(' ')}`);
  process.exit(1);
}

// Tests that start the gateway or open the console need what a start builds.
if (files.some((file) => file.startsWith('e2e'))) {
  for (const script of ['scripts/build-server.mjs', 'scripts/build-console.mjs']) {
    const built = spawnSync(process.execPath, [script], { stdio: 'inherit' });
    if (built.status !== 0) process.exit(built.status ?? 1);
  }
}

const needed = neededServers(files);
const given = process.env.TEST_DATABASE_URL;
const postgres = given || !needed.postgres ? undefined : await startPostgres();
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
// Named files are few, and have a process each.
const programs = named.length === 0 ? writeBatches(batchesOf(files), 'dist/test-batches') : files;
const child = spawn(
  process.execPath,
  [
    '--test',
    // More than can compute at once, because many tests wait most of their time.
    `--test-concurrency=${availableParallelism() + 3}`,
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
      ...(databaseUrl !== undefined && { TEST_DATABASE_URL: databaseUrl }),
      ...(redisUrl !== undefined && { TEST_REDIS_URL: redisUrl }),
    },
  },
);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
const code = await new Promise((resolve) => child.once('exit', (status) => resolve(status ?? 1)));
await postgres?.stop();
await redis?.stop();
rmSync(templates, { recursive: true, force: true });
process.exit(code);
