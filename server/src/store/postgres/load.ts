// Fills a PostgreSQL database in one transaction: a load that is ended leaves nothing.
import pg from 'pg';
import { type LoadOptions, LoadRefused, type LoadSource } from '../copy/load.ts';
import type { Row, TableOfSnapshot, Value } from '../copy/snapshot.ts';
import { migrations as newest } from '../migrations/index.ts';
import { migrate, type MigrationConnection } from '../migrations/migrate.ts';
import { postgresTypes, postgresWords } from './sql-fragments.ts';

const OF_SCHEMA = 'current_schema()::regnamespace';

export async function loadPostgres(databaseUrl: string, source: LoadSource, { force }: LoadOptions): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, types: postgresTypes, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {}); // the statement under way reports it
  await client.connect();
  try {
    await client.query('begin');
    await makeEmpty(client, force);
    await fill(client, source);
    await client.query('commit');
    await client.query('analyze');
  } finally {
    await client.end();
  }
}

async function makeEmpty(client: pg.Client, force: boolean): Promise<void> {
  const tables = await client.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = ${OF_SCHEMA} and relkind in ('r', 'p') and not relispartition`,
  );
  if (tables.rows.length === 0) return;
  const names = tables.rows.map(({ name }) => name);
  if (!names.includes('migrations'))
    throw new LoadRefused('the database has tables that are not of Tollgate; name an empty one');
  if (!force)
    throw new LoadRefused('the database holds data of Tollgate; --force replaces it, and what is in it is lost');
  for (const name of names) await client.query(`drop table if exists "${name}" cascade`);
  const functions = await client.query<{ name: string }>(
    `select oid::regprocedure::text as name from pg_proc
     where pronamespace = ${OF_SCHEMA} and prorettype = 'trigger'::regtype`,
  );
  for (const { name } of functions.rows) await client.query(`drop function ${name}`);
}

async function fill(client: pg.Client, { migrations, tables }: LoadSource): Promise<void> {
  const connection: MigrationConnection = {
    run: (sql) => client.query(sql),
    names: async (sql) => (await client.query<{ name: string }>(sql)).rows.map(({ name }) => name),
  };
  await migrate(connection, postgresWords, migrations);
  const loaded: string[] = [];
  for await (const { table, rows } of tables()) {
    // Sums are rows of the snapshot: nothing may be added to them while it is read.
    await client.query(`alter table ${table.name} disable trigger user`);
    await client.query(`delete from ${table.name}`); // what a migration has put in
    const insert = await insertOf(client, table);
    for await (const some of rows) await client.query(insert, asColumns(table, some));
    await client.query(`alter table ${table.name} enable trigger user`);
    loaded.push(table.name);
  }
  for (const name of loaded) await continueCounting(client, name);
  await migrate(connection, postgresWords, newest);
}

/** Columns travel as lists of text, so that a statement has as many values as the table has columns. */
async function insertOf(client: pg.Client, { name, columns }: TableOfSnapshot): Promise<string> {
  const { rows } = await client.query<{ name: string; type: string }>(
    `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
     where attrelid = '${name}'::regclass and attnum > 0 and not attisdropped`,
  );
  const types = new Map(rows.map((row) => [row.name, row.type]));
  const values = columns.map((column, index) => `c${index}::${types.get(column) ?? 'text'}`);
  const lists = columns.map((_, index) => `$${index + 1}::text[]`);
  const given = columns.map((_, index) => `c${index}`);
  return `insert into ${name} (${columns.join(', ')}) overriding system value
    select ${values.join(', ')} from unnest(${lists.join(', ')}) as given (${given.join(', ')})`;
}

function asColumns({ columns }: TableOfSnapshot, rows: readonly Row[]): (string | null)[][] {
  return columns.map((_, index) => rows.map((row) => asText(row[index] ?? null)));
}

function asText(value: Value): string | null {
  if (value === null || typeof value === 'string') return value;
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`;
  return String(value);
}

/** Numbers that count up go on after the largest one that was loaded. */
async function continueCounting(client: pg.Client, table: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = '${table}'::regclass and attidentity <> ''`,
  );
  for (const { name } of rows)
    await client.query(
      `select setval(pg_get_serial_sequence('${table}', '${name}'), coalesce(max(${name}), 0) + 1, false) from ${table}`,
    );
}
