// Counters of failed sign-ins: one row per subject and window. A row whose window has ended counts for nothing.
import { sql } from 'kysely';
import type { Reads, Store, Transaction } from '../store.ts';
import type { SignInCountsTable } from '../tables.ts';

export type SignInCount = SignInCountsTable;

/** Adds failures and answers the sum in the window that is open now. */
export async function addFailures(
  store: Store,
  { subject, failures, now, endsAt }: { subject: string; failures: number; now: number; endsAt: number },
): Promise<SignInCount> {
  const isOver = sql<boolean>`sign_in_counts.ends_at <= ${now}`;
  return store.transaction((transaction) =>
    transaction
      .insertInto('sign_in_counts')
      .values({ subject, failures, ends_at: endsAt })
      .onConflict((conflict) =>
        conflict.column('subject').doUpdateSet({
          failures: sql<number>`case when ${isOver} then excluded.failures else sign_in_counts.failures + excluded.failures end`,
          ends_at: sql<number>`case when ${isOver} then excluded.ends_at else sign_in_counts.ends_at end`,
        }),
      )
      .returningAll()
      .executeTakeFirstOrThrow(),
  );
}

export async function findCount(reads: Reads, subject: string, now: number): Promise<SignInCount | undefined> {
  return reads
    .selectFrom('sign_in_counts')
    .selectAll()
    .where('subject', '=', subject)
    .where('ends_at', '>', now)
    .executeTakeFirst();
}

/** A name has signed in: its failures are forgotten, one is given back to the address, and the address is known for that name. */
export async function recordSignIn(
  store: Store,
  subjects: { name: string | undefined; address: string; known: string | undefined; knownUntil: number },
): Promise<void> {
  await store.transaction(async (transaction) => {
    // Always in this order: two sign-ins must not wait for each other.
    await transaction
      .updateTable('sign_in_counts')
      .set({ failures: sql<number>`failures - 1` })
      .where('subject', '=', subjects.address)
      .where('failures', '>', 0)
      .execute();
    if (subjects.known !== undefined) await rememberNetwork(transaction, subjects.known, subjects.knownUntil);
    if (subjects.name !== undefined)
      await transaction.deleteFrom('sign_in_counts').where('subject', '=', subjects.name).execute();
  });
}

/** A name, or a key, has been right at an address. */
export async function rememberNetwork(transaction: Transaction, subject: string, until: number): Promise<void> {
  await transaction
    .insertInto('sign_in_counts')
    .values({ subject, failures: 0, ends_at: until })
    .onConflict((conflict) => conflict.column('subject').doUpdateSet({ ends_at: until }))
    .execute();
}

export async function forgetEndedCounts(store: Store, now: number): Promise<void> {
  await store.transaction((transaction) =>
    transaction.deleteFrom('sign_in_counts').where('ends_at', '<=', now).execute(),
  );
}
