// `npm run bench:lists`: how long pages of the request log and the overview take with a million requests in SQLite. Prints one
// line per question; slower than the budget makes it exit with 1.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { listRequests } from '../server/src/store/queries/requests.ts';
import { listUsage } from '../server/src/store/queries/usage.ts';
import { openStore } from '../server/src/store/store.ts';

const ROWS = Number(process.argv[2] ?? 1_000_000);
const BUDGET_MS = 200;
const ROUNDS = 3;
const SPAN = 30 * 86_400;
const START = 1_757_376_000;

const dataFolder = mkdtempSync(join(tmpdir(), 'tollgate-lists-'));
const settings = { databaseUrl: undefined, dataFolder };
try {
  await (await openStore(settings)).close();
  fill(join(dataFolder, 'tollgate.db'));
  const store = await openStore(settings);
  const page = (filters) => () => listRequests(store.reads, { ...filters, limit: 51 });
  const questions = {
    'first page': page({}),
    'page in the middle': page({ after: idOf(Math.floor(ROWS / 2)) }),
    'of an account': page({ accountId: 'acc_3' }),
    'of a model': page({ model: 'model-3' }),
    'failed only': page({ least: 400 }),
    'of a status': page({ status: 502 }),
    'of a model nobody asked for': page({ model: 'none' }),
    'overview, 30 days by model': () =>
      listUsage(store.reads, {
        from: START,
        to: START + SPAN + 86_400,
        bucketLength: 86_400,
        by: 'model',
        filters: {},
        after: undefined,
        limit: 10_001,
      }),
  };
  for (const [name, ask] of Object.entries(questions)) {
    const times = [];
    for (let round = 0; round < ROUNDS; round++) {
      const started = performance.now();
      await ask();
      times.push(performance.now() - started);
    }
    const best = Math.min(...times);
    if (best > BUDGET_MS) process.exitCode = 1;
    console.log(
      `${name.padEnd(30)} ${best.toFixed(1).padStart(8)} ms${best > BUDGET_MS ? `   over ${BUDGET_MS} ms` : ''}`,
    );
  }
  await store.close();
} finally {
  rmSync(dataFolder, { recursive: true, force: true });
}

function idOf(number) {
  return `req_${String(number).padStart(12, '0')}`;
}

function fill(file) {
  const database = new DatabaseSync(file);
  database.exec('pragma synchronous = off');
  const insert = database.prepare(
    `insert into requests (id, account_id, token_id, group_name, endpoint, model, channel_id, status, attempts,
      first_byte_ms, total_ms, usage, usage_source, charge, arithmetic, mode, created_at)
     values (?, ?, ?, 'default', '/v1/chat/completions', ?, ?, ?, '[{"channel_id":"chn_1","status":200,"error":null,"ms":12}]',
      200, 900, '{"input_tokens":1000,"output_tokens":200}', 'upstream', 4500000, '(1000 input x 2.5) / 1000000', 'live', ?)`,
  );
  database.exec('begin');
  for (let number = 0; number < ROWS; number++) {
    const at = START + Math.floor((number / ROWS) * SPAN);
    const status = number % 1000 === 0 ? 502 : 200;
    const names = [`acc_${number % 20}`, `tok_${number % 40}`, `model-${number % 10}`, `chn_${number % 5}`];
    insert.run(idOf(number), ...names, status, at);
  }
  database.exec('commit');
  database.close();
}
