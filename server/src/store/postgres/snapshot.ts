// A snapshot of a PostgreSQL database: one transaction that sees what was committed when it began.
import pg from 'pg';
import {
  inOrderOfReferences,
  NOT_COPIED,
  ROWS_AT_ONCE,
  type Row,
  type Snapshot,
  type TableOfSnapshot,
} from '../copy/snapshot.ts';
import { migrations } from '../migrations/index.ts';
import { requireMigrated } from '../migrations/migrate.ts';
import { postgresTypes } from './sql-fragments.ts';

/** Tables of this schema; partitions are read through the table that they belong to. */
const COLUMNS = `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  group by c.relname order by c.relname`;

export async function openPostgresSnapshot(databaseUrl: string): Promise<Snapshot> {
  const client = new pg.Client({ connectionString: databaseUrl, types: postgresTypes, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {}); // the statement under way reports it
  await client.connect();
  const names = async (sql: string): Promise<string[]> =>
    (await client.query<{ name: string }>(sql)).rows.map(({ name }) => name);
  try {
    await client.query('begin isolation level repeatable read read only');
    await requireMigrated({ names }, migrations);
    return {
      migrations: await names('select name from migrations order by position'),
      tables: await listTables(client),
      read: (table) => readRows(client, table),
      close: () => client.end(),
    };
  } catch (error) {
    await client.end();
    throw error;
  }
}

async function listTables(client: pg.Client): Promise<TableOfSnapshot[]> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(COLUMNS);
  const tables: TableOfSnapshot[] = [];
  for (const { name, columns } of rows) {
    if (NOT_COPIED.has(name)) continue;
    const counted = await client.query<{ count: bigint }>(`select count(*) as count from ${name}`);
    tables.push({ name, columns, rows: Number(counted.rows[0]?.count) });
  }
  return inOrderOfReferences(tables);
}

async function* readRows(client: pg.Client, { name, columns }: TableOfSnapshot): AsyncGenerator<Row[]> {
  await client.query(`declare copied no scroll cursor for select ${columns.join(', ')} from ${name}`);
  for (;;) {
    const { rows } = await client.query<Row>({ text: `fetch ${ROWS_AT_ONCE} from copied`, rowMode: 'array' });
    if (rows.length === 0) break;
    yield rows;
  }
  await client.query('close copied');
}
