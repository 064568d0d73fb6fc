// Webhooks of accounts, and what was delivered to them.
import type { Reads, Store } from '../store.ts';
import type { WebhookDeliveriesTable, WebhooksTable } from '../tables.ts';
import type { DeliveryChanges } from './deliveries.ts';
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

export async function updateDelivery(store: Store, id: string, changes: DeliveryChanges): Promise<void> {
  await store.transaction((transaction) =>
    transaction.updateTable('webhook_deliveries').set(changes).where('id', '=', id).execute(),
  );
}
