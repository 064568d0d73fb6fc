// Alerts and their rules: opened once, resolved once, and listed.
import type { Reads, Store, Transaction } from '../store.ts';
import type { AlertRulesTable, AlertsTable } from '../tables.ts';
import { type Change, changeIn, findBy, pageOf, type Paging, putBy } from './rows.ts';

export type AlertRow = AlertsTable;
export type AlertRuleRow = AlertRulesTable;

export interface AlertListing extends Paging {
  state?: 'open' | 'resolved' | undefined;
  rule?: string | undefined;
  subject?: string | undefined;
}

export const findAlert = findBy('alerts', 'id');

/** Newest first: ids begin with their time. */
export async function listAlerts(reads: Reads, listing: AlertListing): Promise<AlertRow[]> {
  let query = pageOf(reads, 'alerts', listing);
  if (listing.state !== undefined) query = query.where('resolved_at', listing.state === 'open' ? 'is' : 'is not', null);
  if (listing.rule !== undefined) query = query.where('rule', '=', listing.rule);
  if (listing.subject !== undefined) query = query.where('subject', '=', listing.subject);
  return query.execute();
}

export async function openAlerts(reads: Reads, rule: string): Promise<AlertRow[]> {
  return reads.selectFrom('alerts').selectAll().where('rule', '=', rule).where('resolved_at', 'is', null).execute();
}

export async function countOpenAlerts(reads: Reads): Promise<Map<string, number>> {
  const rows = await reads
    .selectFrom('alerts')
    .select(({ fn }) => ['rule', fn.countAll<number | bigint>().as('count')])
    .where('resolved_at', 'is', null)
    .groupBy('rule')
    .execute();
  return new Map(rows.map(({ rule, count }) => [rule, Number(count)]));
}

/** False when one of this rule and subject is open already. */
export async function insertAlert(transaction: Transaction, row: AlertRow): Promise<boolean> {
  const made = await transaction
    .insertInto('alerts')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return made !== undefined;
}

export const describeAlert: Change<Pick<AlertRow, 'title' | 'detail' | 'updated_at'>> = changeIn('alerts');

/** False when it was resolved before. */
export async function resolveAlert(transaction: Transaction, id: string, at: number): Promise<boolean> {
  const done = await transaction
    .updateTable('alerts')
    .set({ resolved_at: at })
    .where('id', '=', id)
    .where('resolved_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return done !== undefined;
}

export async function listAlertRules(reads: Reads): Promise<AlertRuleRow[]> {
  return reads.selectFrom('alert_rules').selectAll().execute();
}

export const putAlertRule = putBy('alert_rules', 'rule');

const AT_ONCE = 500;

/** Resolved before then, with what was sent of them, and tests. True when there is more to forget. */
export async function forgetAlerts(store: Store, before: number): Promise<boolean> {
  return store.transaction(async (transaction) => {
    const old = await transaction
      .selectFrom('alerts')
      .select('id')
      .where('resolved_at', '<', before)
      .limit(AT_ONCE)
      .execute();
    const ids = old.map(({ id }) => id);
    if (ids.length > 0) {
      await transaction.deleteFrom('alert_deliveries').where('alert_id', 'in', ids).execute();
      await transaction.deleteFrom('alerts').where('id', 'in', ids).execute();
    }
    await transaction
      .deleteFrom('alert_deliveries')
      .where('alert_id', 'is', null)
      .where('completed_at', '<', before)
      .execute();
    return old.length === AT_ONCE;
  });
}
