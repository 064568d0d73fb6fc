// How long `tollgate move` takes for many rows of the ledger: fills an embedded database, moves it to a new PostgreSQL database
// with the command as people run it, and prints the times, sizes and the load of the machine. Not part of the tests:
//   node scripts/bench-move.ts [rows, 10000000] postgres://...    (a server; needs about 700 bytes of disk a row)
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { openStore } from '../server/src/store/open-store.ts';
import { addAccount, addToken } from '../server/src/testing/fixtures.ts';
import { makeDatabase } from '../server/src/testing/templates.ts';

const ACCOUNTS = 500;
const ROWS_OF_A_CALL = 3;
const [rowsText = '10000000', server] = process.argv.slice(2);
if (server === undefined) throw new Error('usage: bench-move.ts <rows> postgres://...');
const calls = Math.ceil(Number(rowsText) / ROWS_OF_A_CALL / ACCOUNTS) * ACCOUNTS;
const folder = mkdtempSync(join(tmpdir(), 'tollgate-bench-move-'));
const seconds = (from: number): string => ((performance.now() - from) / 1000).toFixed(0);
const load = (): string => loadavg()[0]?.toFixed(0) ?? '';

try {
  let from = performance.now();
  await fill();
  const size = (statSync(join(folder, 'tollgate.db')).size / 1e9).toFixed(2);
  process.stdout.write(`filled: ${calls * ROWS_OF_A_CALL} rows, ${size} GB, ${seconds(from)} s\n`);
  const address = await makeDatabase(server);
  from = performance.now();
  await run(from, 'move', '--to', address);
  process.stdout.write(`moved: ${seconds(from)} s, ${await sizeOf(address)} GB; load ${load()}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Every account has the same number of calls, each held, settled and released. */
async function fill(): Promise<void> {
  const store = await openStore({ databaseUrl: undefined, dataFolder: folder });
  const each = BigInt(calls / ACCOUNTS);
  const [credit, charge] = [each * 1_000n, 400n];
  for (let account = 0; account < ACCOUNTS; account += 1) {
    await addAccount(store, { id: `acc_${account}`, balance: credit - each * charge });
    await addToken(store, { id: `tok_${account}`, account_id: `acc_${account}`, used: each * charge });
  }
  await store.close();
  const database = new DatabaseSync(join(folder, 'tollgate.db'));
  database.exec(`pragma synchronous = off; begin;
    insert into ledger (kind, account_id, amount, balance_after, mode, note, author, created_at)
      select 'credit', id, ${each * charge}, ${credit}, 'live', 'bench', 'bench', 1790000000 from accounts;
    with recursive calls (n) as (select 0 union all select n + 1 from calls where n < ${calls - 1}),
      kinds (kind, amount, at) as (values ('hold', 1000, 0), ('settle', 400, 1), ('release', 600, 2))
    insert into ledger (kind, account_id, token_id, hold_id, request_id, amount, balance_after, mode, usage_source, created_at)
      select kind, 'acc_' || (n % ${ACCOUNTS}), 'tok_' || (n % ${ACCOUNTS}), printf('req_0VbKaGwF%016d', n),
        printf('req_0VbKaGwF%016d', n), amount, ${credit} - 400 * (n / ${ACCOUNTS}), 'live',
        iif(kind = 'settle', 'upstream', null), 1790000000 + n / 100
      from calls join kinds;
    commit;`);
  database.close();
}

/** Lines of its progress are shown with the seconds that have passed. */
async function run(from: number, ...args: string[]): Promise<void> {
  const child = spawn(process.execPath, ['dist/server/src/tollgate.js', ...args], {
    env: { PATH: process.env['PATH'], TOLLGATE_DATA_DIR: folder },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  const ended = once(child, 'exit') as Promise<[number | null]>;
  for await (const line of createInterface({ input: child.stderr }))
    process.stdout.write(`${seconds(from)} s, load ${load()}: ${line}\n`);
  const [code] = await ended;
  if (code !== 0) throw new Error(`it ended with ${code}`);
}

async function sizeOf(address: string): Promise<string> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  const { rows } = await client.query<{ size: string }>('select pg_database_size(current_database()) as size');
  await client.end();
  return (Number(rows[0]?.size) / 1e9).toFixed(2);
}
