// Webhooks of accounts, and what was delivered to them.
import type { Reads, Store } from '../store.ts';
import type { WebhookDeliveriesTable, WebhooksTable } from '../tables.ts';
import { deleteBy, findBy, putBy } from './rows.ts';

export type WebhookRow = WebhooksTable;
export type DeliveryRow = WebhookDeliveriesTable;

export const findWebhook = findBy('webhooks', 'account_id');
export const putWebhook = putBy('webhooks', 'account_id');
export const deleteWebhook = deleteBy('webhooks', 'account_id');

/** Oldest first. */
export async function listDeliveries(reads: Reads, taskId: string): Promise<DeliveryRow[]> {
  return reads.selectFrom('webhook_deliveries').selectAll().where('task_id', '=', taskId).orderBy('id').execute();
}

/** When the first is due; undefined when all have ended. Asked often, so it only reads. */
export async function firstAttemptAt(reads: Reads): Promise<number | undefined> {
  const first = await reads
    .selectFrom('webhook_deliveries')
    .select('next_attempt_at')
    .where('completed_at', 'is', null)
    .orderBy('next_attempt_at')
    .limit(1)
    .executeTakeFirst();
  return first?.next_attempt_at;
}

/** Accounts with something due, in the order of their ids, from behind the given one on and around; at most `limit`. */
export async function dueAccounts(
  reads: Reads,
  { dueAt, after, limit }: { dueAt: number; after: string; limit: number },
): Promise<string[]> {
  const found = new Set<string>();
  // One look into the index for each account, however many deliveries it has.
  for (let [last, isAround] = [after, false]; found.size < limit;) {
    const next = await reads
      .selectFrom('webhook_deliveries')
      .select('account_id')
      .where('completed_at', 'is', null)
      .where('account_id', '>', last)
      .where('next_attempt_at', '<=', dueAt)
      .orderBy('account_id')
      .limit(1)
      .executeTakeFirst();
    if (next === undefined && isAround) break;
    if (next !== undefined && found.has(next.account_id)) break;
    if (next !== undefined) found.add(next.account_id);
    isAround ||= next === undefined;
    last = next?.account_id ?? '';
  }
  return [...found];
}

/** Takes deliveries of an account that are due, by moving them on: the next reader sees them only when this attempt is surely over. */
export async function claimDeliveries(
  store: Store,
  { accountId, dueAt, until, limit }: { accountId: string; dueAt: number; until: number; limit: number },
): Promise<DeliveryRow[]> {
  return store.transaction(async (transaction) => {
    const due = transaction
      .selectFrom('webhook_deliveries')
      .select('id')
      .where('completed_at', 'is', null)
      .where('account_id', '=', accountId)
      .where('next_attempt_at', '<=', dueAt)
      .orderBy('next_attempt_at')
      .limit(limit);
    const rows = await (store.dialect === 'postgres' ? due.forUpdate().skipLocked() : due).execute();
    if (rows.length === 0) return [];
    return transaction
      .updateTable('webhook_deliveries')
      .set({ next_attempt_at: until })
      .where(
        'id',
        'in',
        rows.map(({ id }) => id),
      )
      .returningAll()
      .execute();
  });
}

export async function updateDelivery(
  store: Store,
  id: string,
  changes: Pick<DeliveryRow, 'status' | 'attempts' | 'log' | 'next_attempt_at' | 'completed_at'>,
): Promise<void> {
  await store.transaction((transaction) =>
    transaction.updateTable('webhook_deliveries').set(changes).where('id', '=', id).execute(),
  );
}
