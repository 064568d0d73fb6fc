// How far each sink of the export has come, and the rows that it lacks. A batch is planned in the store before it is written
// and its end is the cursor after it: a process that takes over writes the very same range again.
import { type AliasableExpression, type Selectable, sql, type SqlBool } from 'kysely';
import type { Reads, Store, Transaction } from '../store.ts';
import type { ExportErrorsTable, ExportsTable, LedgerTable, NumberedRequestsTable } from '../tables.ts';

export type ExportName = ExportsTable['name'];
export const exportNames: readonly ExportName[] = ['ledger', 'requests'];

/** A place between two rows. `number` is -1 among the lines that have none, where `id` counts. */
export interface ExportPlace {
  number: bigint;
  id: string;
}

export interface ExportCursor {
  reached: ExportPlace;
  /** Where the batch that was begun ends. */
  planned: ExportPlace | undefined;
  completeAt: number;
  rowsWritten: bigint;
}

/** Rows behind the first place, up to the second. */
export interface ExportRange {
  name: ExportName;
  from: ExportPlace;
  to: ExportPlace;
}

export type ExportedEntry = Selectable<LedgerTable>;
export type ExportedRequest = Selectable<NumberedRequestsTable>;

/** The conditions of the indexes of migration 0128, word for word. */
const NUMBERED = sql<SqlBool>`change > 0`;
const UNNUMBERED = sql<SqlBool>`change = 0`;

const STARTS: Record<ExportName, ExportPlace> = {
  ledger: { number: 0n, id: '' },
  requests: { number: -1n, id: '' },
};

export async function readCursor(reads: Reads, sink: string, name: ExportName): Promise<ExportCursor> {
  const cursor = reads.selectFrom('exports').selectAll().where('sink', '=', sink).where('name', '=', name);
  const row = await cursor.executeTakeFirst();
  if (row === undefined) return { reached: STARTS[name], planned: undefined, completeAt: 0, rowsWritten: 0n };
  return {
    reached: { number: row.reached, id: row.reached_id },
    planned: row.planned === null ? undefined : { number: row.planned, id: row.planned_id ?? '' },
    completeAt: row.complete_at,
    rowsWritten: row.rows_written,
  };
}

/** False when another process has moved the cursor or planned something meanwhile. */
export async function planBatch(store: Store, sink: string, { name, from, to }: ExportRange): Promise<boolean> {
  return store.transaction(async (transaction) => {
    await transaction
      .insertInto('exports')
      .values(rowOf(sink, name, { from, completeAt: 0 }))
      .onConflict((conflict) => conflict.columns(['sink', 'name']).doNothing())
      .execute();
    const { numUpdatedRows } = await changeFrom(transaction, sink, { name, from })
      .set({ planned: to.number, planned_id: to.id })
      .where('planned', 'is', null)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  });
}

/** The batch that was planned is in the sink. False when another process has said so before. */
export async function endBatch(
  store: Store,
  sink: string,
  { name, from, to }: ExportRange,
  rows: number,
): Promise<boolean> {
  return store.transaction(async (transaction) => {
    const { numUpdatedRows } = await changeFrom(transaction, sink, { name, from })
      .set((row) => ({
        reached: to.number,
        reached_id: to.id,
        planned: null,
        planned_id: null,
        rows_written: sql<bigint>`${row.ref('rows_written')} + ${BigInt(rows)}`,
      }))
      .where('planned', '=', to.number)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  });
}

/** Everything that was committed by then is in the sink. */
export async function noteComplete(
  store: Store,
  sink: string,
  { name, at }: { name: ExportName; at: number },
): Promise<void> {
  await store.transaction((transaction) =>
    transaction
      .insertInto('exports')
      .values(rowOf(sink, name, { from: STARTS[name], completeAt: at }))
      .onConflict((conflict) => conflict.columns(['sink', 'name']).doUpdateSet({ complete_at: at }))
      .execute(),
  );
}

function rowOf(sink: string, name: ExportName, { from, completeAt }: { from: ExportPlace; completeAt: number }) {
  const reached = { reached: from.number, reached_id: from.id };
  return { sink, name, ...reached, planned: null, planned_id: null, complete_at: completeAt, rows_written: 0n };
}

/** Only as long as nobody else has moved the cursor. */
function changeFrom(transaction: Transaction, sink: string, { name, from }: Omit<ExportRange, 'to'>) {
  return transaction
    .updateTable('exports')
    .where('sink', '=', sink)
    .where('name', '=', name)
    .where('reached', '=', from.number)
    .where('reached_id', '=', from.id);
}

/**
 * Where a batch of at most so many rows ends; undefined when there is nothing to export. `last` is a number up to which all
 * is committed.
 */
export async function endOfBatch(
  reads: Reads,
  { name, from, last }: { name: ExportName; from: ExportPlace; last: bigint },
  limit: number,
): Promise<ExportPlace | undefined> {
  if (name === 'ledger') {
    const some = reads.selectFrom('ledger').select('id').where('id', '>', from.number).where('id', '<=', last);
    const { id } = await reads
      .selectFrom(some.orderBy('id').limit(limit).as('some'))
      .select(({ fn }) => fn.max('id').as('id'))
      .executeTakeFirstOrThrow();
    return placeAt(id);
  }
  if (from.number < 0n) {
    const old = reads.selectFrom('requests').select('id').where(UNNUMBERED).where('id', '>', from.id);
    const { id } = await reads
      .selectFrom(old.orderBy('id').limit(limit).as('some'))
      .select(({ fn }) => fn.max('id').as('id'))
      .executeTakeFirstOrThrow();
    return id === null ? undefined : { number: -1n, id };
  }
  const some = reads
    .selectFrom('requests')
    .select('change')
    .where(NUMBERED)
    .where('change', '>', from.number)
    .where('change', '<=', last);
  const { change } = await reads
    .selectFrom(some.orderBy('change').limit(limit).as('some'))
    .select(({ fn }) => fn.max('change').as('change'))
    .executeTakeFirstOrThrow();
  return placeAt(change);
}

function placeAt(number: unknown): ExportPlace | undefined {
  return number === null ? undefined : { number: BigInt(number as bigint | number), id: '' };
}

/** One page of a range, in its order; the next one begins behind its last row. */
export async function readEntries(
  reads: Reads,
  { from, to }: Omit<ExportRange, 'name'>,
  limit: number,
): Promise<ExportedEntry[]> {
  return reads
    .selectFrom('ledger')
    .selectAll()
    .where('id', '>', from.number)
    .where('id', '<=', to.number)
    .orderBy('id')
    .limit(limit)
    .execute();
}

export async function readRequests(
  reads: Reads,
  { from, to }: Omit<ExportRange, 'name'>,
  limit: number,
): Promise<ExportedRequest[]> {
  const rows = reads.selectFrom('requests').selectAll().limit(limit);
  if (to.number < 0n)
    return rows.where(UNNUMBERED).where('id', '>', from.id).where('id', '<=', to.id).orderBy('id').execute();
  return rows
    .where(NUMBERED)
    .where('change', '>', from.number)
    .where('change', '<=', to.number)
    .orderBy('change')
    .execute();
}

/** The lines of before are exported: the numbered ones follow. */
export async function beginNumbers(store: Store, sink: string, from: ExportPlace): Promise<boolean> {
  const range = { name: 'requests', from, to: { number: 0n, id: '' } } as const;
  return (await planBatch(store, sink, range)) && endBatch(store, sink, range, 0);
}

/** How many rows a sink lacks; no more than about `most` are counted. */
export async function countBehind(
  reads: Reads,
  { name, from }: Pick<ExportRange, 'name' | 'from'>,
  most: number,
): Promise<number> {
  if (name === 'ledger') {
    return count(reads, reads.selectFrom('ledger').select('id').where('id', '>', from.number).limit(most));
  }
  const lines = reads.selectFrom('requests').select('id').limit(most);
  const numbered = await count(reads, lines.where(NUMBERED).where('change', '>', from.number));
  if (from.number >= 0n || numbered >= most) return numbered;
  return numbered + (await count(reads, lines.where(UNNUMBERED).where('id', '>', from.id)));
}

async function count(reads: Reads, some: AliasableExpression<object>): Promise<number> {
  const { count: rows } = await reads
    .selectFrom(some.as('some'))
    .select(({ fn }) => fn.countAll<number | bigint>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(rows);
}

/** When the first row that a sink lacks was written, as far as it says so itself. */
export async function firstBehind(
  reads: Reads,
  { name, from }: Pick<ExportRange, 'name' | 'from'>,
): Promise<number | undefined> {
  if (name === 'ledger') {
    const entry = await reads
      .selectFrom('ledger')
      .select('created_at')
      .where('id', '>', from.number)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    return entry?.created_at;
  }
  const rows = reads.selectFrom('requests').select(['created_at', 'total_ms']).limit(1);
  const old =
    from.number < 0n && (await rows.where(UNNUMBERED).where('id', '>', from.id).orderBy('id').executeTakeFirst());
  const line =
    old || (await rows.where(NUMBERED).where('change', '>', from.number).orderBy('change').executeTakeFirst());
  return line === undefined ? undefined : line.created_at + line.total_ms / 1000;
}

export async function listExportErrors(reads: Reads): Promise<Map<string, ExportErrorsTable>> {
  const rows = await reads.selectFrom('export_errors').selectAll().execute();
  return new Map(rows.map((row) => [row.sink, row]));
}

export async function noteExportError(
  store: Store,
  error: { sink: string; message: string; at: number },
): Promise<void> {
  const { sink, message, at: created_at } = error;
  await store.transaction((transaction) =>
    transaction
      .insertInto('export_errors')
      .values({ sink, message, failures: 1, created_at })
      .onConflict((conflict) =>
        conflict.column('sink').doUpdateSet({ message, created_at, failures: sql<number>`export_errors.failures + 1` }),
      )
      .execute(),
  );
}

export async function forgetExportError(store: Store, sink: string): Promise<void> {
  await store.transaction((transaction) => transaction.deleteFrom('export_errors').where('sink', '=', sink).execute());
}

/** Up to which number all of the sinks have the table; undefined where there is no sink. */
export async function exportedUpTo(
  reads: Reads,
  name: ExportName,
  sinks: readonly string[],
): Promise<bigint | undefined> {
  let least: bigint | undefined;
  for (const sink of sinks) {
    const { number } = (await readCursor(reads, sink, name)).reached;
    if (least === undefined || number < least) least = number;
  }
  return least;
}
