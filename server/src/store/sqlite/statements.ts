// Statements of one SQLite connection, each prepared once, with rows in the types that the tables promise.
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { SqlRow, SqlValue } from '../ledger/statements.ts';

export interface StatementAnswer {
  rows: SqlRow[];
  changes: bigint;
}

interface Prepared {
  statement: StatementSync;
  /** Columns declared as money stay bigint, all other numbers become plain numbers. Empty for statements without rows. */
  columns: { name: string; money: boolean }[];
}

const MAX_PREPARED = 500;
/** Rows that are inserted by one statement, which costs less than one for each. Two or three lines of the ledger are a call's. */
const TOGETHER = [32, 8, 4, 3, 2];

export class PreparedStatements {
  readonly #database: DatabaseSync;
  readonly #prepared = new Map<string, Prepared>();
  /** Inserts of several rows by that of one. */
  readonly #inserts = new Map<string, Record<number, string>>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  run(sql: string, parameters: SQLInputValue[]): StatementAnswer {
    const { statement, columns } = this.#prepare(sql);
    if (columns.length === 0) {
      return { rows: [], changes: statement.run(...parameters).changes as bigint };
    }
    const rows = statement.all(...parameters) as SqlRow[];
    return { rows: rows.map((row) => convert(row, columns)), changes: BigInt(rows.length) };
  }

  /** Says how many rows were written. */
  writeRows(sql: string, rows: readonly SqlValue[][]): number {
    let written = 0;
    for (let at = 0; at < rows.length;) {
      const together = TOGETHER.find((count) => at + count <= rows.length) ?? 1;
      const insert = together === 1 ? undefined : this.#insertOf(sql, together);
      const end = insert === undefined ? at + 1 : at + together;
      const { changes } = this.#prepare(insert ?? sql).statement.run(...valuesOf(rows, at, end));
      written += Number(changes);
      at = end;
    }
    return written;
  }

  /** The insert of one row as one of several; undefined when it is no insert. */
  #insertOf(sql: string, count: number): string | undefined {
    const known = this.#inserts.get(sql);
    if (known !== undefined) return known[count];
    const values = / values (\(\?(?:, \?)*\))/.exec(sql)?.[1];
    const inserts: Record<number, string> = {};
    if (values !== undefined) {
      for (const many of TOGETHER) inserts[many] = sql.replace(values, Array(many).fill(values).join(', '));
    }
    this.#inserts.set(sql, inserts);
    return inserts[count];
  }

  #prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    statement.setReadBigInts(true);
    const columns = statement.columns().map(({ name, type }) => ({ name, money: type?.toLowerCase() === 'bigint' }));
    if (this.#prepared.size >= MAX_PREPARED) this.#prepared.clear();
    const fresh = { statement, columns };
    this.#prepared.set(sql, fresh);
    return fresh;
  }
}

function valuesOf(rows: readonly SqlValue[][], from: number, to: number): SqlValue[] {
  const values: SqlValue[] = [];
  for (let at = from; at < to; at++) for (const value of rows[at] ?? []) values.push(value);
  return values;
}

function convert(row: SqlRow, columns: Prepared['columns']): SqlRow {
  const converted: SqlRow = {};
  for (const { name, money } of columns) {
    const value = row[name];
    converted[name] = typeof value === 'bigint' && !money ? Number(value) : value;
  }
  return converted;
}
