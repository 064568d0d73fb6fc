// A PostgreSQL database, read in one transaction that cannot write.
import pg from 'pg';
import { Refused } from '../../refused.ts';
import { type Row, type Source, whole } from './source.ts';

export async function openPostgres(address: string): Promise<Source> {
  const client = new pg.Client({
    connectionString: address,
    connectionTimeoutMillis: 10_000,
    types: { getTypeParser },
  });
  try {
    await client.connect();
    // Addresses of LiteLLM's library may name a schema.
    const schema = URL.parse(address)?.searchParams.get('schema') ?? '';
    if (schema !== '') await client.query(`set search_path to ${client.escapeIdentifier(schema)}`);
    await client.query('begin isolation level repeatable read read only');
  } catch (error) {
    throw new Refused(`${hostOf(address)}: ${(error as Error).message}`);
  }
  const columns = async (table: string): Promise<string[]> => {
    const found = await client.query<{ name: string }>(
      'select column_name as name from information_schema.columns where table_schema = any(current_schemas(false)) and table_name = $1',
      [table],
    );
    return found.rows.map(({ name }) => name);
  };
  const quoted = (name: string): string => client.escapeIdentifier(name);
  return {
    columns,
    rows: async (table) =>
      (await columns(table)).length === 0 ? [] : (await client.query<Row>(`select * from ${quoted(table)}`)).rows,
    count: async (table) => {
      if ((await columns(table)).length === 0) return 0;
      return Number((await client.query<Row>(`select count(*) as rows from ${quoted(table)}`)).rows[0]?.['rows']);
    },
    sum: async (table, column) => {
      if (!(await columns(table)).includes(column)) return 0n;
      const { rows } = await client.query<Row>(`select sum(${quoted(column)})::text as sum from ${quoted(table)}`);
      return whole(rows[0]?.['sum']);
    },
    close: () => client.end(),
  };
}

/** Times without a zone are UTC in the programs that are read, not the zone of this machine. */
const getTypeParser: typeof pg.types.getTypeParser = (type, format) =>
  type === pg.types.builtins.TIMESTAMP
    ? (value: string) => new Date(`${value.replace(' ', 'T')}Z`)
    : pg.types.getTypeParser(type, format);

/** The address without its password. */
function hostOf(address: string): string {
  const url = URL.parse(address);
  return url === null ? 'the database address' : `${url.protocol}//${url.host}${url.pathname}`;
}
