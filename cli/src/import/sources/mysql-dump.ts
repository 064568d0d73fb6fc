// A dump file of MySQL or MariaDB. Rows of the named tables are kept; of all others only the number and the sums.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { readStatements } from './sql-statements.ts';
import { readValues } from './sql-values.ts';
import { type Row, type Source, whole } from './source.ts';

interface Table {
  columns: string[];
  rows: Row[];
  count: number;
  /** By column. */
  sums: Map<string, bigint>;
}

const CREATE = /^\s*create\s+table\s+(?:if\s+not\s+exists\s+)?([^(]+?)\s*\(([^]*)/i;
const INSERT = /^\s*(?:insert|replace)\s+(?:ignore\s+)?into\s+([^\s(]+)\s*(\([^)]*\))?\s*values\s*/i;
const COLUMN = /^\s*[`"]([^`"]+)[`"]/gm;

/** `summed` are columns of tables that can be large. */
export async function openMysqlDump(
  path: string,
  { kept, summed }: { kept: readonly string[]; summed: readonly string[] },
): Promise<Source> {
  const tables = new Map<string, Table>();
  const lines = createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY });
  for await (const statement of readStatements(lines)) {
    const created = CREATE.exec(statement);
    if (created !== null) {
      const columns = [...(created[2] ?? '').matchAll(COLUMN)].map(([, name]) => name ?? '');
      tables.set(nameOf(created[1]), { columns, rows: [], count: 0, sums: new Map() });
      continue;
    }
    const inserted = INSERT.exec(statement);
    if (inserted === null) continue;
    const name = nameOf(inserted[1]);
    const columns = namedColumns(inserted[2]);
    const table = tables.get(name) ?? { columns: columns ?? [], rows: [], count: 0, sums: new Map<string, bigint>() };
    tables.set(name, table);
    for (const values of readValues(statement.slice(inserted[0].length)))
      add(table, Object.fromEntries((columns ?? table.columns).map((column, at) => [column, values[at] ?? null])), {
        isKept: kept.includes(name),
        summed,
      });
  }
  return {
    columns: async (name) => tables.get(name)?.columns ?? [],
    rows: async (name) => tables.get(name)?.rows ?? [],
    count: async (name) => tables.get(name)?.count ?? 0,
    sum: async (name, column) => tables.get(name)?.sums.get(column) ?? 0n,
    close: async () => undefined,
  };
}

function add(table: Table, row: Row, { isKept, summed }: { isKept: boolean; summed: readonly string[] }): void {
  table.count++;
  if (isKept) table.rows.push(row);
  for (const column of summed) {
    if (row[column] !== undefined) table.sums.set(column, (table.sums.get(column) ?? 0n) + whole(row[column]));
  }
}

/** The last part of `database`.`table`. */
function nameOf(written: string | undefined): string {
  return (written ?? '').replaceAll(/[`"]/g, '').split('.').at(-1)?.trim() ?? '';
}

function namedColumns(written: string | undefined): string[] | undefined {
  return written
    ?.slice(1, -1)
    .split(',')
    .map((name) => name.replaceAll(/[`"]/g, '').trim());
}
