// A SQLite database as SQL text: tables, rows, then indexes, triggers and views.
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';

export function dumpSqlite(database: DatabaseSync): string {
  const made = database
    .prepare(`select type, name, sql from sqlite_master where sql is not null and name not like 'sqlite_%'`)
    .all() as { type: string; name: string; sql: string }[];
  const tables = made.filter(({ type }) => type === 'table');
  const lines = tables.map(({ sql }) => `${sql};`);
  for (const { name } of tables) {
    const rows = database.prepare(`select * from "${name}"`);
    rows.setReadBigInts(true);
    for (const row of rows.iterate()) {
      const columns = Object.keys(row).map((column) => `"${column}"`);
      const values = Object.values(row).map((value) => literal(value));
      lines.push(`insert into "${name}" (${columns.join()}) values (${values.join()});`);
    }
  }
  lines.push(...made.filter(({ type }) => type !== 'table').map(({ sql }) => `${sql};`));
  return `begin;\n${lines.join('\n')}\ncommit;\n`;
}

function literal(value: SQLOutputValue): string {
  if (value === null) return 'null';
  if (typeof value === 'bigint' || typeof value === 'number') return String(value);
  if (value instanceof Uint8Array) return `x'${Buffer.from(value).toString('hex')}'`;
  return `'${value.replaceAll("'", "''")}'`;
}
