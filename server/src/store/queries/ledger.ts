// Ledger entries: read for operators, and credits written. Holds, settles and releases are written by store/ledger.
import { type ExpressionBuilder, type Insertable, type Selectable, sql, type SqlBool } from 'kysely';
import type { Reads, Transaction } from '../store.ts';
import type { LedgerTable, Tables } from '../tables.ts';
import { isBatchId } from './batches.ts';
import { lacksStatistics } from './lacks-statistics.ts';
import { idsOfTimes } from './times-as-ids.ts';

const CODE_AFTER_SLASH = '0';

export type LedgerRow = Selectable<LedgerTable>;

export interface LedgerListing {
  accountId?: string | undefined;
  tokenId?: string | undefined;
  kind?: LedgerRow['kind'] | undefined;
  requestId?: string | undefined;
  taskId?: string | undefined;
  mode?: LedgerRow['mode'] | undefined;
  from?: number | undefined;
  to?: number | undefined;
  /** Last id of the page before. */
  after?: bigint | undefined;
  limit: number;
}

/** Newest first. A hold has the id of its request or task, which has the index. `from` is inside the range, `to` is not. */
export async function listLedger(reads: Reads, listing: LedgerListing): Promise<LedgerRow[]> {
  let query = reads.selectFrom('ledger').selectAll().orderBy('id', 'desc').limit(listing.limit);
  if (listing.accountId !== undefined) {
    // The sign keeps SQLite from the index of all entries of the account: credits have a small one.
    const isRare = listing.kind === 'credit' && lacksStatistics(reads);
    query = isRare
      ? query.where(sql<SqlBool>`+account_id = ${listing.accountId}`)
      : query.where('account_id', '=', listing.accountId);
  }
  if (listing.tokenId !== undefined) {
    const account = reads.selectFrom('tokens').select('account_id').where('id', '=', listing.tokenId);
    query = query.where('token_id', '=', listing.tokenId).where('account_id', '=', account); // the index is by account
  }
  // Written out, because the indexes of rare lines are for these very words.
  if (listing.kind !== undefined) query = query.where('kind', '=', sql.lit(listing.kind));
  if (listing.requestId !== undefined) query = query.where('hold_id', '=', listing.requestId);
  if (listing.taskId !== undefined) query = query.where(ofTask(listing.taskId));
  if (listing.mode !== undefined) query = query.where('mode', '=', sql.lit(listing.mode));
  const { first, last } = await idsOfTimes(reads, 'ledger', listing);
  if (listing.from !== undefined) query = query.where('created_at', '>=', listing.from);
  if (listing.to !== undefined) query = query.where('created_at', '<', listing.to);
  if (first !== undefined) query = query.where('id', '>=', first);
  if (last !== undefined) query = query.where('id', '<', last);
  if (listing.after !== undefined) query = query.where('id', '<', listing.after);
  return query.execute();
}

/** Each line of a batch has a hold of its own: `<batch id>/<custom_id>`. */
function ofTask(id: string) {
  return (row: ExpressionBuilder<Tables, 'ledger'>) =>
    isBatchId(id)
      ? row.and([row('hold_id', '>=', `${id}/`), row('hold_id', '<', `${id}${CODE_AFTER_SLASH}`)])
      : row('hold_id', '=', id);
}

export async function insertLedgerEntry(transaction: Transaction, entry: Insertable<LedgerTable>): Promise<LedgerRow> {
  const { id } = await transaction.insertInto('ledger').values(entry).returning('id').executeTakeFirstOrThrow();
  return transaction.selectFrom('ledger').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** The one entry of a kind for any of these holds, which have the ids of their request or task. */
export async function findByHold(
  reads: Reads,
  kind: LedgerRow['kind'],
  holdIds: readonly string[],
): Promise<LedgerRow | undefined> {
  return reads
    .selectFrom('ledger')
    .selectAll()
    .where('hold_id', 'in', [...holdIds])
    .where('kind', '=', kind)
    .executeTakeFirst();
}

/** Has the token ever moved money? */
export async function hasEntries(reads: Reads, token: { id: string; account_id: string }): Promise<boolean> {
  const entry = await reads
    .selectFrom('ledger')
    .select('id')
    .where('account_id', '=', token.account_id)
    .where('token_id', '=', token.id)
    .limit(1)
    .executeTakeFirst();
  return entry !== undefined;
}
