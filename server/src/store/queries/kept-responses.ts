// Responses that the gateway keeps itself, sealed: each knows the one it went on from. Forgotten in small steps when nobody
// has used them for a while.
import { sql } from 'kysely';
import type { Reads, Store } from '../store.ts';
import type { KeptResponsesTable } from '../tables.ts';

const FORGET_AT_ONCE = 200;

export interface KeptQuery {
  accountId: string;
  id: string;
  /** Unix seconds: those that were not used since count as forgotten. */
  after: number;
}

export async function insertKeptResponse(store: Store, row: KeptResponsesTable): Promise<void> {
  await store.transaction((transaction) =>
    transaction
      .insertInto('kept_responses')
      .values(row)
      .onConflict((conflict) => conflict.columns(['account_id', 'id']).doNothing())
      .execute(),
  );
}

/** One without its content. */
export type KeptFacts = Pick<
  KeptResponsesTable,
  'id' | 'previous' | 'model' | 'mode' | 'input_bytes' | 'media_count'
> & { bytes: number };

export async function findKeptResponse(
  reads: Reads,
  { accountId, id, after }: KeptQuery,
): Promise<KeptFacts | undefined> {
  return reads
    .selectFrom('kept_responses')
    .select(['id', 'previous', 'model', 'mode', 'input_bytes', 'media_count', sql<number>`length(sealed)`.as('bytes')])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('used_at', '>', after)
    .executeTakeFirst();
}

/** undefined where it was deleted meanwhile. */
export async function readKeptResponse(reads: Reads, accountId: string, id: string): Promise<Uint8Array | undefined> {
  const row = await reads
    .selectFrom('kept_responses')
    .select('sealed')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.sealed;
}

export async function useKeptResponses(store: Store, accountId: string, ids: string[], at: number): Promise<void> {
  await store.transaction((transaction) =>
    transaction
      .updateTable('kept_responses')
      .set({ used_at: at })
      .where('account_id', '=', accountId)
      .where('id', 'in', ids)
      .execute(),
  );
}

export async function deleteKeptResponse(store: Store, accountId: string, id: string): Promise<void> {
  await store.transaction((transaction) =>
    transaction.deleteFrom('kept_responses').where('account_id', '=', accountId).where('id', '=', id).execute(),
  );
}

/** One step; true when there is more to forget. */
export async function forgetKeptResponses(store: Store, before: number): Promise<boolean> {
  const rows = await store.reads
    .selectFrom('kept_responses')
    .select(['account_id', 'id'])
    .where('used_at', '<=', before)
    .orderBy('used_at')
    .limit(FORGET_AT_ONCE)
    .execute();
  if (rows.length > 0)
    await store.transaction(async (transaction) => {
      for (const { account_id, id } of rows)
        await transaction
          .deleteFrom('kept_responses')
          .where('account_id', '=', account_id)
          .where('id', '=', id)
          .where('used_at', '<=', before)
          .execute();
    });
  return rows.length === FORGET_AT_ONCE;
}
