// Change notices, by which every process learns what operators changed. Their sequence is dense and in commit order, so
// that a reader who has seen n has seen everything before n.
import { sql } from 'kysely';
import type { Reads, Transaction } from '../store.ts';
import type { ChangesTable } from '../tables.ts';

const SEQUENCE = 'change_sequence';
const KEPT_SECONDS = 3600;

/**
 * Lets changes by operators go one after another: what a change has read is still true when it commits. The lock is the
 * sequence's own row and is given back at the end of the transaction.
 */
export async function lockChanges(transaction: Transaction): Promise<void> {
  await transaction
    .insertInto('meta')
    .values({ key: SEQUENCE, value: '0' })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: sql<string>`meta.value` }))
    .execute();
}

export async function recordChange(
  transaction: Transaction,
  kind: ChangesTable['kind'],
  subject: string,
  at: number,
): Promise<void> {
  const { value } = await transaction
    .insertInto('meta')
    .values({ key: SEQUENCE, value: '1' })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({ value: sql<string>`cast(cast(meta.value as bigint) + 1 as text)` }),
    )
    .returning('value')
    .executeTakeFirstOrThrow();
  await transaction
    .insertInto('changes')
    .values({ sequence: Number(value), kind, subject, created_at: at })
    .execute();
  await transaction
    .deleteFrom('changes')
    .where('created_at', '<', at - KEPT_SECONDS)
    .execute();
}

/** Oldest first. */
export async function changesAfter(reads: Reads, sequence: number): Promise<ChangesTable[]> {
  return reads.selectFrom('changes').selectAll().where('sequence', '>', sequence).orderBy('sequence').execute();
}

/** 0 when nothing was ever changed. */
export async function latestSequence(reads: Reads): Promise<number> {
  const row = await reads.selectFrom('meta').select('value').where('key', '=', SEQUENCE).executeTakeFirst();
  return Number(row?.value ?? 0);
}
