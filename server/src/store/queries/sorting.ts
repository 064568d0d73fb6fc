// Lists in the order of a column: pages go on after the value and the id of the last row before.
import { type RawBuilder, sql, type SqlBool } from 'kysely';

export interface Sorting {
  column: string;
  descending: boolean;
  /** Of the last row of the page before. */
  after: { value: string; id: string } | undefined;
}

/** How the values of a column are compared; text in any case. */
export type ComparedAs = 'text' | 'number';

export function orderOf({ column, descending }: Sorting, as: ComparedAs): RawBuilder<unknown> {
  const direction = sql.raw(descending ? 'desc' : 'asc');
  return sql`${compared(column, as)} ${direction}, id ${direction}`;
}

/** undefined on the first page. */
export function beyond({ column, descending, after }: Sorting, as: ComparedAs): RawBuilder<SqlBool> | undefined {
  if (after === undefined) return undefined;
  const value = as === 'text' ? sql`lower(${after.value})` : sql`${BigInt(after.value)}`;
  const sign = sql.raw(descending ? '<' : '>');
  return sql<SqlBool>`(${compared(column, as)}, id) ${sign} (${value}, ${after.id})`;
}

function compared(column: string, as: ComparedAs): RawBuilder<unknown> {
  return as === 'text' ? sql`lower(${sql.ref(column)})` : sql`${sql.ref(column)}`;
}
