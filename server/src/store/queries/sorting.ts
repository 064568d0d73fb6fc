// Lists in the order of a column: pages go on after the value and the id of the last row before.
import { type RawBuilder, type Selectable, type SelectQueryBuilder, sql, type SqlBool } from 'kysely';
import type { Reads } from '../store.ts';
import type { Tables } from '../tables.ts';
import { pageOf, type Paging } from './rows.ts';

export interface Sorting {
  column: string;
  descending: boolean;
  /** Of the last row of the page before. */
  after: { value: string; id: string } | undefined;
}

/** How the values of a column are compared; text in any case. */
type ComparedAs = 'text' | 'number';

export interface SortedPaging extends Paging {
  /** Default: newest first, after the last id. */
  sorting?: Sorting | undefined;
}

/** Newest first, or sorted. */
export function sortedPageOf<Table extends 'accounts' | 'tokens'>(
  reads: Reads,
  table: Table,
  { sorting, ...paging }: SortedPaging,
  columns: Readonly<Record<string, ComparedAs>>,
): SelectQueryBuilder<Tables, Table, Selectable<Tables[Table]>> {
  if (sorting === undefined) return pageOf(reads, table, paging);
  const as = columns[sorting.column] ?? 'text';
  const page = reads
    .selectFrom<'accounts' | 'tokens'>(table)
    .selectAll()
    .orderBy(orderOf(sorting, as))
    .limit(paging.limit);
  const rest = beyond(sorting, as);
  const behind = rest === undefined ? page : page.where(rest);
  return behind as unknown as SelectQueryBuilder<Tables, Table, Selectable<Tables[Table]>>;
}

function orderOf({ column, descending }: Sorting, as: ComparedAs): RawBuilder<unknown> {
  const direction = sql.raw(descending ? 'desc' : 'asc');
  return sql`${compared(column, as)} ${direction}, id ${direction}`;
}

/** undefined on the first page. */
function beyond({ column, descending, after }: Sorting, as: ComparedAs): RawBuilder<SqlBool> | undefined {
  if (after === undefined) return undefined;
  const value = as === 'text' ? sql`lower(${after.value})` : sql`${BigInt(after.value)}`;
  const sign = sql.raw(descending ? '<' : '>');
  return sql<SqlBool>`(${compared(column, as)}, id) ${sign} (${value}, ${after.id})`;
}

function compared(column: string, as: ComparedAs): RawBuilder<unknown> {
  return as === 'text' ? sql`lower(${sql.ref(column)})` : sql`${sql.ref(column)}`;
}
