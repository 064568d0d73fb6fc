// `npm run bench:lists [rows] [--all]`: how long pages of the lists and the overview take with a million requests in SQLite.
// Prints the slowest questions, or all; one slower than the budget makes it exit with 1.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../server/src/store/store.ts';
import { fillLists } from './bench/lists/fill-lists.ts';
import { otherQuestions, requestQuestions } from './bench/lists/questions.ts';

const words = process.argv.slice(2);
const showAll = words.includes('--all');
const rows = Number(words.find((word) => /^\d+$/.test(word)) ?? 1_000_000);
const BUDGET_MS = 200;
const ROUNDS = 3;
const SHOWN = 15;

const dataFolder = mkdtempSync(join(tmpdir(), 'tollgate-lists-'));
const settings = { databaseUrl: undefined, dataFolder };
try {
  await (await openStore(settings)).close();
  fillLists(join(dataFolder, 'tollgate.db'), rows);
  const store = await openStore(settings);
  const times = [];
  const questions = { ...requestQuestions(store.lists, rows), ...otherQuestions(store.lists) };
  for (const [name, ask] of Object.entries(questions)) {
    const rounds = [];
    for (let round = 0; round < ROUNDS; round++) {
      const started = performance.now();
      await ask().catch(endedByLimit);
      rounds.push(performance.now() - started);
    }
    times.push([name, Math.min(...rounds)]);
  }
  const slowest = times.toSorted((one, other) => other[1] - one[1]);
  console.log(`${times.length} questions, ${rows} requests; ${showAll ? 'all' : `the ${SHOWN} slowest`}:`);
  for (const [name, best] of showAll ? times : slowest.slice(0, SHOWN)) {
    const late = best > BUDGET_MS ? `   over ${BUDGET_MS} ms` : '';
    console.log(`${name.padEnd(55)} ${best.toFixed(1).padStart(8)} ms${late}`);
  }
  if ((slowest[0]?.[1] ?? 0) > BUDGET_MS) process.exitCode = 1;
  await store.close();
} finally {
  rmSync(dataFolder, { recursive: true, force: true });
}

/** Its time tells that it was too slow. */
function endedByLimit(error) {
  if (error.code !== 'list_too_slow') throw error;
}
