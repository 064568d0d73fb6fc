// Calls that go on at their upstream, each with the hold that waits for what it used. As long as a call stands here, nobody
// sweeps its hold.
import type { Store } from '../store.ts';
import type { BackgroundCallsTable } from '../tables.ts';

export type BackgroundCallRow = BackgroundCallsTable;

/** With the price in force at the hold. */
export interface OpenBackgroundCall extends BackgroundCallRow {
  /** undefined when the hold was ended by somebody else. */
  price: string | undefined;
}

/** Durable when it resolves; false when there is no such hold to wait. */
export function addBackgroundCall(store: Store, row: BackgroundCallRow): Promise<boolean> {
  return store.transaction(async (transaction) => {
    const hold = await transaction.selectFrom('holds').select('id').where('id', '=', row.hold_id).executeTakeFirst();
    if (hold === undefined) return false;
    await transaction
      .insertInto('background_calls')
      .values(row)
      .onConflict((conflict) => conflict.column('hold_id').doNothing())
      .execute();
    return true;
  });
}

export async function findBackgroundCalls(
  { reads }: Store,
  { accountId, upstreamId }: { accountId: string; upstreamId: string },
): Promise<OpenBackgroundCall[]> {
  const rows = await reads
    .selectFrom('background_calls')
    .leftJoin('holds', 'holds.id', 'background_calls.hold_id')
    .selectAll('background_calls')
    .select('holds.price')
    .where('background_calls.account_id', '=', accountId)
    .where('background_calls.upstream_id', '=', upstreamId)
    .execute();
  return rows.map((row) => ({ ...row, price: row.price ?? undefined }));
}

/** Those whose time to be asked about has come; of several processes one gets each, and `nextAsk` says when it is due again. */
export async function claimDueCalls(
  store: Store,
  { now, limit, nextAsk }: { now: number; limit: number; nextAsk(row: BackgroundCallRow): number },
): Promise<OpenBackgroundCall[]> {
  const due = await store.reads
    .selectFrom('background_calls')
    .leftJoin('holds', 'holds.id', 'background_calls.hold_id')
    .selectAll('background_calls')
    .select('holds.price')
    .where('ask_at', '<=', now)
    .orderBy('ask_at')
    .limit(limit)
    .execute();
  const claimed: OpenBackgroundCall[] = [];
  for (const row of due) {
    const { numUpdatedRows } = await store.transaction((transaction) =>
      transaction
        .updateTable('background_calls')
        .set({ ask_at: nextAsk(row) })
        .where('hold_id', '=', row.hold_id)
        .where('ask_at', '=', row.ask_at)
        .executeTakeFirst(),
    );
    if (numUpdatedRows === 1n) claimed.push({ ...row, price: row.price ?? undefined });
  }
  return claimed;
}

export async function removeBackgroundCall(store: Store, holdId: string): Promise<void> {
  await store.transaction((transaction) =>
    transaction.deleteFrom('background_calls').where('hold_id', '=', holdId).execute(),
  );
}
