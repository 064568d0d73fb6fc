// `npm run bench:lists [rows] [--postgres] [--all]`: how long pages of the lists and the overview take with a million requests in
// SQLite, or in a PostgreSQL that it starts. Prints the slowest questions, or all, with the time until the answer and the processor time
// of all processes together. One for which both are beyond the budget makes it exit with 1.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../server/src/store/open-store.ts';
import { copyToPostgres } from './bench/lists/copy-to-postgres.ts';
import { cpuTime } from './bench/lists/cpu-time.ts';
import { fillLists } from './bench/lists/fill-lists.ts';
import { otherQuestions, requestQuestions } from './bench/lists/questions.ts';
import { startPostgres } from './postgres.mjs';

const words = process.argv.slice(2);
const showAll = words.includes('--all');
const rows = Number(words.find((word) => /^\d+$/.test(word)) ?? 1_000_000);
const BUDGET_MS = 200;
const ROUNDS = 3;
const SHOWN = 15;

const dataFolder = mkdtempSync(join(tmpdir(), 'tollgate-lists-'));
// Work of its own accord would count as that of the questions.
const postgres = words.includes('--postgres')
  ? await startPostgres(tmpdir(), { settings: ['autovacuum=off', 'max_wal_size=256MB'] })
  : undefined;
const sqlite = { databaseUrl: undefined, dataFolder };
try {
  await (await openStore(sqlite)).close();
  fillLists(join(dataFolder, 'tollgate.db'), rows);
  if (postgres !== undefined) await copyToPostgres(dataFolder, postgres.url);
  const store = await openStore({ databaseUrl: postgres?.url, dataFolder });
  const questions = { ...requestQuestions(store.lists, rows), ...otherQuestions(store.lists) };
  const times = [];
  for (const [name, ask] of Object.entries(questions)) times.push({ name, ...(await measure(ask)) });
  const slowest = times.toSorted((one, other) => other.least - one.least);
  console.log(
    `${times.length} questions, ${rows} requests, ${store.dialect}; ${showAll ? 'all' : `the ${SHOWN} slowest`}:`,
  );
  for (const { name, wall, cpu, least } of showAll ? times : slowest.slice(0, SHOWN)) {
    const late = least > BUDGET_MS ? `   over ${BUDGET_MS} ms` : '';
    console.log(`${name.padEnd(55)} ${shown(wall)} ms ${shown(cpu)} ms CPU${late}`);
  }
  if ((slowest[0]?.least ?? 0) > BUDGET_MS) process.exitCode = 1;
  await store.close();
} finally {
  await postgres?.stop();
  rmSync(dataFolder, { recursive: true, force: true });
}

/** The best of some rounds. `least`: what another process takes of the machine makes only one of the two longer. */
async function measure(ask) {
  const best = { wall: Infinity, cpu: Infinity };
  for (let round = 0; round < ROUNDS; round++) {
    const before = cpuTime();
    const started = performance.now();
    const isWhole = await ask().then(() => true, endedByLimit);
    best.wall = Math.min(best.wall, performance.now() - started);
    const cpu = isWhole && before !== undefined ? (cpuTime() ?? Infinity) - before : Infinity;
    best.cpu = Math.min(best.cpu, cpu);
  }
  return { ...best, least: Math.min(best.wall, best.cpu) };
}

function shown(ms) {
  return (Number.isFinite(ms) ? ms.toFixed(1) : '-').padStart(8);
}

/** Its time until then says that it was too slow, its processor time nothing. */
function endedByLimit(error) {
  if (error.code !== 'list_too_slow') throw error;
  return false;
}
