// Sinks of alerts and what is sent to them. A delivery is written together with what it reports.
import type { Reads, Store, Transaction } from '../store.ts';
import type { AlertDeliveriesTable, AlertSinksTable } from '../tables.ts';
import { claimDeliveries, type DeliveryChanges, type DeliveryClaim } from './deliveries.ts';
import { findBy, insertInto, pageOf, type Paging } from './rows.ts';

export type AlertSinkRow = AlertSinksTable;
export type AlertDeliveryRow = AlertDeliveriesTable;

export const findSink = findBy('alert_sinks', 'id');
export const findSinkByName = findBy('alert_sinks', 'name');

/** By id: oldest first. */
export async function listSinks(reads: Reads, paging: Paging): Promise<AlertSinkRow[]> {
  return pageOf(reads, 'alert_sinks', paging, { order: 'asc' }).execute();
}

export async function enabledSinks(reads: Reads): Promise<AlertSinkRow[]> {
  return reads.selectFrom('alert_sinks').selectAll().where('status', '=', 'enabled').execute();
}

export const insertSink = insertInto('alert_sinks');

export async function updateSink(transaction: Transaction, { id, ...changes }: AlertSinkRow): Promise<void> {
  await transaction.updateTable('alert_sinks').set(changes).where('id', '=', id).execute();
}

/** With its log. */
export async function deleteSink(transaction: Transaction, id: string): Promise<void> {
  await transaction.deleteFrom('alert_deliveries').where('sink_id', '=', id).execute();
  await transaction.deleteFrom('alert_sinks').where('id', '=', id).execute();
}

export const insertDeliveries = insertInto('alert_deliveries');

/** Newest first. */
export async function listSinkDeliveries(reads: Reads, sinkId: string, paging: Paging): Promise<AlertDeliveryRow[]> {
  return pageOf(reads, 'alert_deliveries', paging).where('sink_id', '=', sinkId).execute();
}

/** What was sent of an alert when it was opened. */
export async function openingsOf(
  reads: Reads,
  alertId: string,
): Promise<Pick<AlertDeliveryRow, 'sink_id' | 'next_attempt_at' | 'completed_at'>[]> {
  return reads
    .selectFrom('alert_deliveries')
    .select(['sink_id', 'next_attempt_at', 'completed_at'])
    .where('alert_id', '=', alertId)
    .where('event', '=', 'opened')
    .execute();
}

/** Sinks with something due, in the order of their ids, those behind the given one first. */
export async function dueSinks(
  reads: Reads,
  { dueAt, after, limit }: { dueAt: number; after: string; limit: number },
): Promise<string[]> {
  const rows = await reads
    .selectFrom('alert_deliveries')
    .select('sink_id')
    .distinct()
    .where('completed_at', 'is', null)
    .where('next_attempt_at', '<=', dueAt)
    .orderBy('sink_id')
    .execute();
  const ids = rows.map(({ sink_id }) => sink_id);
  return [...ids.filter((id) => id > after), ...ids.filter((id) => id <= after)].slice(0, limit);
}

/** Takes deliveries of a sink that are due. The end of an alert is not sent before its beginning. */
export async function claimSinkDeliveries(store: Store, claim: DeliveryClaim): Promise<AlertDeliveryRow[]> {
  return claimDeliveries(store, 'alert_deliveries', claim, (due) =>
    due.where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('alert_deliveries as earlier')
            .select('earlier.id')
            .whereRef('earlier.alert_id', '=', 'alert_deliveries.alert_id')
            .whereRef('earlier.sink_id', '=', 'alert_deliveries.sink_id')
            .whereRef('earlier.id', '<', 'alert_deliveries.id')
            .where('earlier.completed_at', 'is', null),
        ),
      ),
    ),
  );
}

/** What waits behind it waits until it is due again. */
export async function updateSinkDelivery(store: Store, id: string, changes: DeliveryChanges): Promise<void> {
  await store.transaction(async (transaction) => {
    const row = await transaction
      .updateTable('alert_deliveries')
      .set(changes)
      .where('id', '=', id)
      .returning(['sink_id', 'alert_id'])
      .executeTakeFirst();
    if (row === undefined || row.alert_id === null || changes.status !== 'pending') return;
    await transaction
      .updateTable('alert_deliveries')
      .set({ next_attempt_at: changes.next_attempt_at })
      .where('sink_id', '=', row.sink_id)
      .where('alert_id', '=', row.alert_id)
      .where('id', '>', id)
      .where('completed_at', 'is', null)
      .execute();
  });
}
