// What the database carries per thousand requests: `node e2e/measure-database-cost.ts [requests] [connections]`.
// Starts a PostgreSQL, a sandbox and one gateway, sends small chats, and reads the server's own counters.
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startGatewayProcess } from './faults/gateway-process.ts';
import { Operator, TOKENS_MODEL, untilOffered } from './faults/operator.ts';
import { startSandbox } from '../server/src/sandbox/server.ts';
import { startPostgres } from '../scripts/postgres.mjs';

const [requests = 5_000, connections = 32] = process.argv.slice(2).map(Number);
const BODY = JSON.stringify({ model: TOKENS_MODEL, max_tokens: 500, messages: [{ role: 'user', content: 'Hello!' }] });

interface Counters {
  commits: number;
  written: number;
  wal: number;
  tables: Map<string, { bytes: number; rows: number }>;
  /** Seconds of processor time of the gateway. */
  processor: number;
}

async function readCounters(client: pg.Client, processor: () => Promise<number>): Promise<Counters> {
  await client.query('select pg_stat_force_next_flush(), pg_stat_clear_snapshot()');
  const { rows } = await client.query<{ commits: string; written: string; wal: string }>(
    `select xact_commit as commits, tup_inserted + tup_updated + tup_deleted as written,
       pg_current_wal_insert_lsn() - '0/0' as wal from pg_stat_database where datname = current_database()`,
  );
  const sizes = await client.query<{ name: string; bytes: string; rows: string }>(
    `select regexp_replace(relname, '_(until_.*|rest)$', '') as name, sum(pg_total_relation_size(relid)) as bytes,
       sum(n_tup_ins) as rows from pg_stat_user_tables group by 1`,
  );
  const [first] = rows;
  return {
    commits: Number(first?.commits),
    written: Number(first?.written),
    wal: Number(first?.wal),
    tables: new Map(sizes.rows.map(({ name, bytes, rows }) => [name, { bytes: Number(bytes), rows: Number(rows) }])),
    processor: await processor(),
  };
}

function callOnce(port: number, key: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const path = '/v1/chat/completions';
    request({ host: '127.0.0.1', port, path, method: 'POST', agent, headers }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    })
      .once('error', reject)
      .end(BODY);
  });
}

async function callMany(port: number, key: string, count: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let left = count;
  const callOn = async (): Promise<void> => {
    while (left-- > 0) {
      const status = await callOnce(port, key, agent);
      if (status !== 200) throw new Error(`a call answered ${status}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, callOn));
  agent.destroy();
}

const folder = mkdtempSync(join(tmpdir(), 'tollgate-cost-'));
const postgres = await startPostgres();
const upstream = await startSandbox();
const gateway = await startGatewayProcess({ databaseUrl: postgres.url, dataFolder: folder });
const client = new pg.Client({ connectionString: postgres.url });
await client.connect();
try {
  const operator = new Operator(gateway.address);
  await operator.offerModels(upstream.baseUrl('openai'));
  const { key } = await operator.addToken(await operator.addAccount('1000000'));
  await untilOffered(gateway.address, key, TOKENS_MODEL);
  await callMany(gateway.port, key, 500);
  const processor = async (): Promise<number> => {
    const text = await (await fetch(`${gateway.address}/metrics`)).text();
    return Number(/^tollgate_process_cpu_seconds_total (\S+)/m.exec(text)?.[1]);
  };
  await new Promise((resolve) => setTimeout(resolve, 2_000)); // counters of other backends arrive late
  const before = await readCounters(client, processor);
  const startedAt = performance.now();
  await callMany(gateway.port, key, requests);
  const seconds = (performance.now() - startedAt) / 1000;
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const after = await readCounters(client, processor);
  const perThousand = (a: number, b: number): string => (((b - a) / requests) * 1000).toFixed(1);
  console.log(`${requests} requests over ${connections} connections in ${seconds.toFixed(1)} s, per thousand of them:`);
  console.log(`  commits        ${perThousand(before.commits, after.commits)} (with those of timers)`);
  console.log(`  rows written   ${perThousand(before.written, after.written)}`);
  console.log(`  WAL bytes      ${perThousand(before.wal, after.wal)}`);
  console.log(`  gateway CPU    ${perThousand(before.processor, after.processor)} s`);
  for (const [name, { bytes, rows }] of after.tables) {
    const old = before.tables.get(name);
    if (rows - (old?.rows ?? 0) < requests / 10) continue;
    const kept = bytes - (old?.bytes ?? 0);
    console.log(
      `  ${name.padEnd(14)} ${perThousand(old?.rows ?? 0, rows)} rows, ${perThousand(0, kept)} bytes on disk`,
    );
  }
} finally {
  await client.end();
  await gateway.end('SIGTERM');
  await upstream.stop();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
