// Fills a PostgreSQL database in one transaction: a load that is ended leaves nothing.
import pg from 'pg';
import { type LoadOptions, LoadRefused, type LoadSource, type OnStage } from '../copy/load.ts';
import { migrations as newest } from '../migrations/index.ts';
import { migrate, type MigrationConnection } from '../migrations/migrate.ts';
import { CopyIn } from './copy-in.ts';
import { postgresTypes, postgresWords } from './sql-fragments.ts';

/** From so many rows on, an index is made when they are all there: sorting once costs less than finding a place for each. */
const MANY = 10_000;
const OF_SCHEMA = 'current_schema()::regnamespace';

export async function loadPostgres(databaseUrl: string, source: LoadSource, options: LoadOptions): Promise<void> {
  const { force, onStage } = options;
  const client = new pg.Client({ connectionString: databaseUrl, types: postgresTypes, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {}); // the statement under way reports it
  await client.connect();
  try {
    await client.query('begin');
    await makeEmpty(client, force);
    await fill(client, source, onStage);
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

async function fill(client: pg.Client, { migrations, tables }: LoadSource, onStage: OnStage): Promise<void> {
  const connection: MigrationConnection = {
    run: (sql) => client.query(sql),
    names: async (sql) => (await client.query<{ name: string }>(sql)).rows.map(({ name }) => name),
  };
  await migrate(connection, postgresWords, migrations);
  const loaded: string[] = [];
  const laterIndexes: string[] = [];
  await client.query(`set local maintenance_work_mem = '256MB'`);
  for await (const { table, rows } of tables()) {
    // Sums are rows of the snapshot: nothing may be added to them while it is read.
    await client.query(`alter table ${table.name} disable trigger user`);
    await client.query(`delete from ${table.name}`); // what a migration has put in
    if (table.rows >= MANY) laterIndexes.push(...(await takeIndexes(client, table.name)));
    const copy = client.query(new CopyIn(table.name, table.columns));
    for await (const some of rows) await copy.write(some);
    await copy.end();
    await client.query(`alter table ${table.name} enable trigger user`);
    loaded.push(table.name);
  }
  onStage('making indexes');
  for (const statement of laterIndexes) await client.query(statement);
  for (const name of loaded) await continueCounting(client, name);
  await migrate(connection, postgresWords, newest);
}

/** Drops the indexes of a table, all but those that other tables refer to; returns the statements that make them again. */
async function takeIndexes(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string; made: string; constraint: string | null }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as made,
       pg_get_constraintdef(c.oid) as constraint
     from pg_index i left join pg_constraint c on c.conindid = i.indexrelid and c.contype in ('p', 'u')
     where i.indrelid = '${table}'::regclass
       and not exists (select from pg_constraint f where f.contype = 'f' and f.conindid = i.indexrelid)
     order by c.contype nulls last, i.indexrelid`,
  );
  for (const { name, constraint } of rows)
    await client.query(constraint === null ? `drop index ${name}` : `alter table ${table} drop constraint ${name}`);
  return rows.map(({ name, made, constraint }) =>
    constraint === null
      ? made.replace(' ON ONLY ', ' ON ') // of a table in partitions: with those of its partitions
      : `alter table ${table} add constraint ${name} ${constraint}`,
  );
}

/** Numbers that count up go on after the largest one that was loaded. */
async function continueCounting(client: pg.Client, table: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = '${table}'::regclass and attnum > 0 and not attisdropped
       and pg_get_serial_sequence('${table}', attname) is not null`,
  );
  for (const { name } of rows)
    await client.query(
      `select setval(pg_get_serial_sequence('${table}', '${name}'), greatest(max(${name}), 1), coalesce(max(${name}), 0) > 0) from ${table}`,
    );
}
