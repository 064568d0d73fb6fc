// Statements that are alike for every table: rows found, added, put, changed, removed and listed by one column of theirs.
import type { ExpressionBuilder, Insertable, Kysely, Selectable, SelectQueryBuilder, UpdateObject } from 'kysely';
import type { Reads, Store, Transaction } from '../store.ts';
import type { Tables } from '../tables.ts';

type TableName = keyof Tables;
type Row<Table extends TableName> = Selectable<Tables[Table]>;
type Column<Table extends TableName> = keyof Row<Table> & string;

export interface Paging<Key = string> {
  /** Key of the last row of the page before. */
  after?: Key | undefined;
  limit: number;
}

/** The types of table and columns are checked where a statement is made; in it they may be any. */
type AnyTables = Kysely<Record<string, Record<string, unknown>>>;
function anyTable(database: Reads): AnyTables {
  return database as unknown as AnyTables;
}

export function findBy<Table extends TableName, By extends Column<Table>>(table: Table, column: By) {
  return async (reads: Reads, value: NonNullable<Row<Table>[By]>): Promise<Row<Table> | undefined> => {
    const found = anyTable(reads).selectFrom<string>(table).selectAll().where<string, unknown>(column, '=', value);
    return (await found.executeTakeFirst()) as Row<Table> | undefined;
  };
}

/** In the order of their keys, the newest first by default. */
export function pageOf<Table extends TableName>(
  reads: Reads,
  table: Table,
  { after, limit }: Paging<unknown>,
  { key = 'id', order = 'desc' }: { key?: string; order?: 'asc' | 'desc' } = {},
): SelectQueryBuilder<Tables, Table, Row<Table>> {
  const all = anyTable(reads).selectFrom<string>(table).selectAll().orderBy(key, order).limit(limit);
  const page = after === undefined ? all : all.where(key, order === 'desc' ? '<' : '>', after);
  return page as unknown as SelectQueryBuilder<Tables, Table, Row<Table>>;
}

/** One row or some. */
export function insertInto<Table extends TableName>(table: Table) {
  return async (
    transaction: Transaction,
    rows: Insertable<Tables[Table]> | Insertable<Tables[Table]>[],
  ): Promise<void> => {
    if (Array.isArray(rows) && rows.length === 0) return;
    await anyTable(transaction).insertInto(table).values(rows).execute();
  };
}

/** A new row, or the one with its key with all other columns of this one. */
export function putBy<Table extends TableName>(table: Table, key: Column<Table>) {
  return async (transaction: Transaction, row: Row<Table>): Promise<void> => {
    const { [key]: _, ...changes } = row as Record<string, unknown>;
    await anyTable(transaction)
      .insertInto<string>(table)
      .values(row)
      .onConflict((conflict) => conflict.column(key).doUpdateSet(changes))
      .execute();
  };
}

export type Change<Changes> = (transaction: Transaction, id: string, changes: Changes) => Promise<void>;

/** Changes columns of the row with this id; nothing where there is nothing to change. */
export function changeIn<Table extends TableName>(table: Table): Change<Partial<Row<Table>>> {
  return async (transaction, id, changes) => {
    if (Object.keys(changes).length === 0) return;
    await anyTable(transaction).updateTable<string>(table).set(changes).where('id', '=', id).execute();
  };
}

export function deleteBy<Table extends TableName, By extends Column<Table>>(table: Table, column: By) {
  return async (transaction: Transaction, value: NonNullable<Row<Table>[By]>): Promise<void> => {
    await anyTable(transaction).deleteFrom<string>(table).where<string, unknown>(column, '=', value).execute();
  };
}

interface RowClaim<Table extends TableName> {
  table: Table;
  /** The rows that may be taken. */
  free: SelectQueryBuilder<Tables, Table, { id: string }>;
  /** What keeps all others from them. */
  set(row: ExpressionBuilder<Tables, Table>): UpdateObject<Tables, Table>;
}

/** Takes rows: each goes to one process only. */
export async function claimRows<Table extends TableName>(
  store: Store,
  transaction: Transaction,
  { table, free, set }: RowClaim<Table>,
): Promise<Row<Table>[]> {
  const rows = await unlocked(store, free).execute();
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const claimed = anyTable(transaction)
    .updateTable<string>(table)
    .set(set as never)
    .where('id', 'in', ids);
  return (await claimed.returningAll().execute()) as Row<Table>[];
}

/** Those that no other transaction holds, without waiting for it. SQLite has one writer at a time. */
export function unlocked<Table extends TableName, Found>(
  { dialect }: Store,
  rows: SelectQueryBuilder<Tables, Table, Found>,
): SelectQueryBuilder<Tables, Table, Found> {
  return dialect === 'postgres' ? rows.forUpdate().skipLocked() : rows;
}
