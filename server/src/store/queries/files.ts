// Files as rows: found and listed by the account that owns them, counted, and removed when their time is over.
import { sql } from 'kysely';
import type { Reads, Store, Transaction } from '../store.ts';
import type { FilesTable } from '../tables.ts';
import { unlocked } from './rows.ts';

export type FileRow = FilesTable;

export interface FileListing {
  accountId: string;
  purpose?: string | undefined;
  order: 'asc' | 'desc';
  /** Last id of the page before. */
  after?: string | undefined;
  /** Files whose time is over by then are gone. */
  now: number;
  limit: number;
}

/** What callers give for an id may be anything: what cannot be one is not looked for. */
const ID = /^file_[A-Za-z0-9]{24}$/;

export function isFileId(text: string): boolean {
  return ID.test(text);
}

/** undefined for one that does not exist, is somebody else's, or has expired: nobody can tell which. */
export async function findOwnFile(
  reads: Reads,
  { accountId, id, now }: { accountId: string; id: string; now: number },
): Promise<FileRow | undefined> {
  if (!ID.test(id)) return undefined;
  return alive(reads, now).where('id', '=', id).where('account_id', '=', accountId).executeTakeFirst();
}

/** Ids begin with their time. */
export async function listFiles(reads: Reads, listing: FileListing): Promise<FileRow[]> {
  let query = alive(reads, listing.now)
    .where('account_id', '=', listing.accountId)
    .orderBy('id', listing.order)
    .limit(listing.limit);
  if (listing.purpose !== undefined) query = query.where('purpose', '=', listing.purpose);
  if (listing.after !== undefined) query = query.where('id', listing.order === 'desc' ? '<' : '>', listing.after);
  return query.execute();
}

export async function bytesOfAccount(reads: Reads, accountId: string): Promise<bigint> {
  const row = await reads
    .selectFrom('files')
    .select(sql<string>`cast(coalesce(sum(bytes), 0) as text)`.as('bytes'))
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return BigInt(row?.bytes ?? 0);
}

/** Adds the row unless the account would have more than `most` bytes then. Durable when it resolves; says whether it was added. */
export async function addFile(store: Store, file: FileRow, most: number): Promise<boolean> {
  return store.transaction(async (transaction) => {
    await lockAccount(store, transaction, file.account_id);
    if ((await bytesOfAccount(transaction, file.account_id)) + file.bytes > BigInt(most)) return false;
    await transaction.insertInto('files').values(file).execute();
    return true;
  });
}

/** Uploads of one account are counted one after another. */
async function lockAccount(store: Store, transaction: Transaction, accountId: string): Promise<void> {
  if (store.dialect === 'postgres')
    await sql`select pg_advisory_xact_lock(hashtext(${`files of ${accountId}`}))`.execute(transaction);
}

/** Whatever the account has already; nothing where the row is there. */
export async function putFile(store: Store, file: FileRow): Promise<void> {
  await store.transaction((transaction) =>
    transaction
      .insertInto('files')
      .values(file)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute(),
  );
}

/** True when there was such a file. */
export async function deleteFile(store: Store, { accountId, id }: { accountId: string; id: string }): Promise<boolean> {
  if (!ID.test(id)) return false;
  const { numDeletedRows } = await store.transaction((transaction) =>
    transaction.deleteFrom('files').where('id', '=', id).where('account_id', '=', accountId).executeTakeFirst(),
  );
  return numDeletedRows > 0n;
}

/** Removes the rows of files whose time is over, a few at a time, and says which. */
export async function deleteExpired(store: Store, now: number, limit: number): Promise<string[]> {
  return store.transaction(async (transaction) => {
    const due = transaction.selectFrom('files').select('id').where('expires_at', '<=', now).limit(limit);
    const ids = (await unlocked(store, due).execute()).map(({ id }) => id);
    if (ids.length > 0) await transaction.deleteFrom('files').where('id', 'in', ids).execute();
    return ids;
  });
}

/** Which of these ids have a row. */
export async function knownFiles(reads: Reads, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await reads
    .selectFrom('files')
    .select('id')
    .where('id', 'in', [...ids])
    .execute();
  return new Set(rows.map(({ id }) => id));
}

function alive(reads: Reads, now: number) {
  return reads
    .selectFrom('files')
    .selectAll()
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]));
}
