// What a request leaves on disk, table by table with its indexes: `node e2e/measure-disk.ts sqlite|postgres [requests] [connections] [tokens]`.
// One gateway and a sandbox; PostgreSQL writes whole pages after a checkpoint, as a server does that must survive a power cut.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { startPostgres } from '../scripts/postgres.mjs';
import { startSandbox } from '../server/src/sandbox/server.ts';
import { makeDatabase } from '../server/src/testing/templates.ts';
import { startGatewayProcess } from './faults/gateway-process.ts';
import { Operator, TOKENS_MODEL, untilOffered } from './faults/operator.ts';
import { pause } from './support/wait.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const [store = 'postgres', ...numbers] = process.argv.slice(2);
const [requests = 3_500, connections = 1, tokens = 200] = numbers.map(Number);
/** Before the first look: tables and indexes have their first pages. */
const WARM_UP = 1_000;
/** Sums of usage and timers are written a little later. */
const LATER_MS = 5_000;

interface Disk {
  /** Bytes and rows by table. */
  tables: Map<string, { bytes: number; rows: number }>;
  /** Bytes of WAL. */
  written: number;
}

interface Source {
  databaseUrl: string | undefined;
  /** Whole pages are written again from now on. */
  begin(): Promise<void>;
  read(gatewayPid: number): Promise<Disk>;
  close(): Promise<void>;
}

async function openPostgres(): Promise<Source> {
  const server = await startPostgres();
  const databaseUrl = await makeDatabase(server.url);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('alter system set full_page_writes = on');
  await client.query('select pg_reload_conf()');
  const sizes = `select regexp_replace(relname, '_(until_.*|rest)$', '') as name,
    sum(pg_total_relation_size(relid)) as bytes, sum(n_live_tup) as rows from pg_stat_user_tables group by 1`;
  return {
    databaseUrl,
    begin: async () => void (await client.query('checkpoint')),
    async read() {
      await client.query('select pg_stat_force_next_flush(), pg_stat_clear_snapshot()');
      const { rows } = await client.query<Record<'name' | 'bytes' | 'rows', string>>(sizes);
      const wal = await client.query<{ wal: string }>(`select pg_current_wal_insert_lsn() - '0/0' as wal`);
      return {
        tables: new Map(rows.map((row) => [row.name, { bytes: Number(row.bytes), rows: Number(row.rows) }])),
        written: Number(wal.rows[0]?.wal),
      };
    },
    async close() {
      await client.end();
      await server.stop();
    },
  };
}

function openSqlite(folder: string): Source {
  return {
    databaseUrl: undefined,
    begin: async () => {},
    async read(gatewayPid) {
      const database = new DatabaseSync(join(folder, 'tollgate.db'), { readOnly: true });
      const rows = database
        .prepare(
          `select schema.tbl_name as name, sum(stat.pgsize) as bytes,
             sum(case when stat.pagetype = 'leaf' and schema.type = 'table' then stat.ncell end) as rows
           from dbstat stat join sqlite_schema schema on schema.name = stat.name group by 1`,
        )
        .all();
      database.close();
      const [, written] = /^write_bytes: (\d+)/m.exec(readFileSync(`/proc/${gatewayPid}/io`, 'utf8')) ?? [];
      return {
        tables: new Map(
          rows.map((row) => [String(row['name']), { bytes: Number(row['bytes']), rows: Number(row['rows']) }]),
        ),
        written: Number(written),
      };
    },
    close: async () => {},
  };
}

async function callMany(address: string, keys: readonly string[], count: number): Promise<void> {
  let next = 0;
  const callOn = async (): Promise<void> => {
    while (next < count) {
      const key = keys[next++ % keys.length];
      const answer = await fetch(`${address}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: TOKENS_MODEL, max_tokens: 500, messages: [{ role: 'user', content: 'Hello!' }] }),
      });
      await answer.text();
      if (!answer.ok) throw new Error(`a call answered ${answer.status}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, callOn));
}

const folder = mkdtempSync(join(tmpdir(), 'tollgate-disk-'));
const source = store === 'sqlite' ? openSqlite(folder) : await openPostgres();
const upstream = await startSandbox();
const gateway = await startGatewayProcess({ databaseUrl: source.databaseUrl, dataFolder: folder });
try {
  const operator = new Operator(gateway.address);
  await operator.offerModels(upstream.baseUrl('openai'));
  const account = await operator.addAccount('1000000');
  const keys: string[] = [];
  while (keys.length < tokens) keys.push((await operator.addToken(account)).key);
  await untilOffered(gateway.address, keys.at(-1) ?? '', TOKENS_MODEL);
  await callMany(gateway.address, keys, WARM_UP);
  await pause(LATER_MS);
  await source.begin();
  const before = await source.read(gateway.child.pid ?? 0);
  await callMany(gateway.address, keys, requests);
  await pause(LATER_MS);
  const after = await source.read(gateway.child.pid ?? 0);
  say(`${store}: ${requests} requests over ${connections} connections with ${tokens} tokens`);
  say(
    `  written (${store === 'sqlite' ? 'to disk' : 'WAL'}): ${((after.written - before.written) / requests).toFixed(0)} bytes a request`,
  );
  for (const [name, { bytes, rows }] of after.tables) {
    const old = before.tables.get(name) ?? { bytes: 0, rows: 0 };
    const line = `  ${name.padEnd(14)} ${bytes} bytes, ${rows} rows: ${(bytes / rows).toFixed(0)} bytes a row`;
    if (bytes - old.bytes > requests || rows > tokens - 1)
      say(`${line}; grew by ${((bytes - old.bytes) / requests).toFixed(0)} bytes a request`);
  }
} finally {
  await gateway.end('SIGTERM');
  await upstream.stop();
  await source.close();
  rmSync(folder, { recursive: true, force: true });
}
