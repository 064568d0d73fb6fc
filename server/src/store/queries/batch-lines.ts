// Lines of batches: added, answered, ended and counted. They are claimed in claim-batch-lines.ts.
import { sql } from 'kysely';
import type { Reads, Store, Transaction } from '../store.ts';
import type { BatchAnswersTable, BatchLinesTable } from '../tables.ts';

export type LineRow = BatchLinesTable;
export type AnswerRow = BatchAnswersTable;

/** Rows of one statement. */
const AT_ONCE = 500;

export async function addLines(store: Store, lines: readonly LineRow[]): Promise<void> {
  for (let start = 0; start < lines.length; start += AT_ONCE) {
    const some = lines.slice(start, start + AT_ONCE);
    await store.transaction((transaction) => transaction.insertInto('batch_lines').values(some).execute());
  }
}

/**
 * What is written about lines need not wait for the disk: the charge that follows does, and takes it along. What a crash of the
 * database loses of it is found out again from the ledger.
 */
export async function withoutWaiting<T>(store: Store, work: (transaction: Transaction) => Promise<T>): Promise<T> {
  return store.transaction(async (transaction) => {
    if (store.dialect === 'postgres') await sql`set local synchronous_commit to off`.execute(transaction);
    return work(transaction);
  });
}

export type LineKey = Pick<LineRow, 'batch_id' | 'position' | 'attempt'>;

/** Only as long as the line is this attempt's: says whether it is. */
export async function saveAnswer(store: Store, answer: AnswerRow): Promise<boolean> {
  return withoutWaiting(store, async (transaction) => {
    if (!(await isRunning(transaction, answer))) return false;
    await transaction
      .insertInto('batch_answers')
      .values(answer)
      .onConflict((conflict) =>
        conflict
          .columns(['batch_id', 'position', 'attempt'])
          .doUpdateSet({ line: answer.line, usage: answer.usage, charge: answer.charge }),
      )
      .execute();
    return true;
  });
}

async function isRunning(transaction: Transaction, { batch_id, position, attempt }: LineKey): Promise<boolean> {
  const line = await transaction
    .selectFrom('batch_lines')
    .select('position')
    .where('batch_id', '=', batch_id)
    .where('position', '=', position)
    .where('attempt', '=', attempt)
    .where('state', '=', 'running')
    .executeTakeFirst();
  return line !== undefined;
}

/** Only as long as the line is this attempt's. */
export async function changeLine(store: Store, line: LineKey, changes: Partial<LineRow>): Promise<boolean> {
  const { numUpdatedRows } = await withoutWaiting(store, (transaction) =>
    transaction
      .updateTable('batch_lines')
      .set(changes)
      .where('batch_id', '=', line.batch_id)
      .where('position', '=', line.position)
      .where('attempt', '=', line.attempt)
      .where('state', '=', 'running')
      .executeTakeFirst(),
  );
  return numUpdatedRows > 0n;
}

/** The answers that were written for a line, the last first. */
export async function answersOf(reads: Reads, line: LineKey): Promise<AnswerRow[]> {
  return reads
    .selectFrom('batch_answers')
    .selectAll()
    .where('batch_id', '=', line.batch_id)
    .where('position', '=', line.position)
    .orderBy('attempt', 'desc')
    .execute();
}

/** What was charged for the hold of a line; undefined when it was not settled. */
export async function settledAmount(reads: Reads, holdId: string): Promise<bigint | undefined> {
  const row = await reads
    .selectFrom('ledger')
    .select('amount')
    .where('hold_id', '=', holdId)
    .where('kind', '=', 'settle')
    .executeTakeFirst();
  return row?.amount;
}

/** Lines that are not done, a page of them. */
export async function openLines(
  reads: Reads,
  batchId: string,
  { state, after = -1, limit }: { state?: LineRow['state']; after?: number; limit: number },
): Promise<LineRow[]> {
  const query = reads
    .selectFrom('batch_lines')
    .selectAll()
    .where('batch_id', '=', batchId)
    .where('position', '>', after)
    .orderBy('position')
    .limit(limit);
  return (state === undefined ? query.where('state', '!=', 'done') : query.where('state', '=', state)).execute();
}

/** Ends a line that nobody works on; `attempt` keeps out who would. */
export async function endLine(
  store: Store,
  line: Pick<LineRow, 'batch_id' | 'position'>,
  changes: Pick<LineRow, 'outcome'> & Partial<LineRow>,
): Promise<void> {
  await store.transaction((transaction) =>
    transaction
      .updateTable('batch_lines')
      .set((update) => ({ ...changes, state: 'done' as const, attempt: update('attempt', '+', 1) }))
      .where('batch_id', '=', line.batch_id)
      .where('position', '=', line.position)
      .where('state', '!=', 'done')
      .execute(),
  );
}

export interface DoneLine {
  position: number;
  custom_id: string;
  outcome: LineRow['outcome'];
  usage: string | null;
  /** Of the answer that counts; null where there is none. */
  line: Uint8Array | null;
}

/** Done lines with their answers, in order. */
export async function doneLines(reads: Reads, batchId: string, after: number, limit: number): Promise<DoneLine[]> {
  return reads
    .selectFrom('batch_lines')
    .leftJoin('batch_answers', (join) =>
      join
        .onRef('batch_answers.batch_id', '=', 'batch_lines.batch_id')
        .onRef('batch_answers.position', '=', 'batch_lines.position')
        .onRef('batch_answers.attempt', '=', 'batch_lines.answer'),
    )
    .select([
      'batch_lines.position',
      'batch_lines.custom_id',
      'batch_lines.outcome',
      'batch_lines.usage',
      'batch_answers.line',
    ])
    .where('batch_lines.batch_id', '=', batchId)
    .where('batch_lines.position', '>', after)
    .where('batch_lines.state', '=', 'done')
    .orderBy('batch_lines.position')
    .limit(limit)
    .execute();
}

type LineCounts = Record<Exclude<LineRow['state'], 'done'> | NonNullable<LineRow['outcome']>, number>;

export async function countLines(reads: Reads, batchId?: string): Promise<LineCounts> {
  const all = reads
    .selectFrom('batch_lines')
    .select(({ fn }) => ['state', 'outcome', fn.countAll<bigint | number>().as('count')])
    .groupBy(['state', 'outcome']);
  const rows = await (
    batchId === undefined ? all.where('state', '!=', 'done') : all.where('batch_id', '=', batchId)
  ).execute();
  const counts: LineCounts = { waiting: 0, running: 0, succeeded: 0, errored: 0, cancelled: 0, expired: 0 };
  for (const { state, outcome, count } of rows) {
    if (state !== 'done') counts[state] += Number(count);
    else if (outcome !== null) counts[outcome] += Number(count);
  }
  return counts;
}

/** Of a batch that has ended: its lines are in its files by now. One step; true when there is more. */
export async function forgetLines(store: Store, batchId: string): Promise<boolean> {
  return store.transaction(async (transaction) => {
    const rows = await transaction
      .selectFrom('batch_lines')
      .select('position')
      .where('batch_id', '=', batchId)
      .orderBy('position')
      .limit(AT_ONCE)
      .execute();
    const last = rows.at(-1)?.position;
    if (last === undefined) return false;
    for (const table of ['batch_answers', 'batch_lines'] as const)
      await transaction.deleteFrom(table).where('batch_id', '=', batchId).where('position', '<=', last).execute();
    return rows.length === AT_ONCE;
  });
}
