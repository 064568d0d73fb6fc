// Keys of requests and the answers kept for them. Of several requests with one key, in whatever processes, one is the first.
import type { ExpressionBuilder } from 'kysely';
import type { Store, Transaction } from '../store.ts';
import type { IdempotencyTable, Tables } from '../tables.ts';

export type KeyRow = IdempotencyTable;

export interface KeyClaim {
  scope: string;
  key: string;
  digest: string;
  /** A name for this try. */
  attempt: string;
  /** This process. */
  owner: string;
  /** By which a task that is made under the key can be found. */
  requestId?: string | undefined;
  keepSeconds: number;
  /** A process that was silent for longer is gone, and its requests with it. */
  silenceSeconds: number;
  /** Is that try of this process still under way? */
  runsHere(attempt: string): boolean;
}

/** Databases bound how many values a statement may name. */
const NAMED_AT_ONCE = 500;

type Try = Pick<KeyRow, 'scope' | 'key' | 'attempt'>;

/** As long as the key is this try's. */
function ofTry({ scope, key, attempt }: Try) {
  return (row: ExpressionBuilder<Tables, 'idempotency'>) => row.and({ scope, key, attempt });
}

/** Owns a key that any process may take over. */
const NOBODY = '';

/** The key is this claim's. */
export interface OwnKey {
  isOwn: true;
  /** By a try before it, whose answer was not kept. */
  made: MadeTask | undefined;
}

export interface MadeTask {
  id: string;
  /** The request that made it. */
  requestId: string;
}

/** What another left there. */
export interface ForeignKeyRow extends KeyRow {
  isOwn: false;
  /** The process that was about to answer it is gone. */
  orphaned: boolean;
}

export async function claimKey(store: Store, claim: KeyClaim): Promise<OwnKey | ForeignKeyRow> {
  const now = await store.now();
  const { scope, key, digest, attempt, owner, requestId = null } = claim;
  const fresh: KeyRow = {
    scope,
    key,
    digest,
    state: 'running',
    attempt,
    owner,
    request_id: requestId,
    status: null,
    head: null,
    created_at: now,
    expires_at: now + claim.keepSeconds,
  };
  return store.transaction(async (transaction) => {
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto('idempotency')
      .values(fresh)
      .onConflict((conflict) => conflict.columns(['scope', 'key']).doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows === 1n) return { isOwn: true, made: undefined };
    const held = transaction.selectFrom('idempotency').selectAll().where('scope', '=', scope).where('key', '=', key);
    // Locked: an answer that is kept while its try is looked for would be taken for one that nobody has kept.
    const row = await (store.dialect === 'postgres' ? held.forUpdate() : held).executeTakeFirst();
    if (row === undefined) return { ...fresh, isOwn: false, orphaned: false }; // freed a moment ago: ask again
    const orphaned = row.state !== 'kept' && !(await isAlive(transaction, row, { ...claim, now }));
    const isFree = row.expires_at <= now || (row.state === 'running' && orphaned);
    return isFree ? takeOver(transaction, row, fresh) : { ...row, isOwn: false, orphaned };
  });
}

/** What was made under the key goes on under it, however often its processes die. */
async function takeOver(transaction: Transaction, row: KeyRow, fresh: KeyRow): Promise<OwnKey | ForeignKeyRow> {
  const isOver = row.expires_at <= fresh.created_at;
  const made = isOver ? undefined : await taskUnder(transaction, row, { endedHere: row.owner === fresh.owner });
  if (made !== undefined && row.digest !== fresh.digest) return { ...row, isOwn: false, orphaned: true };
  const { numUpdatedRows } = await transaction
    .updateTable('idempotency')
    .set({ ...fresh, request_id: made?.requestId ?? fresh.request_id })
    .where(ofTry(row))
    .executeTakeFirstOrThrow();
  if (numUpdatedRows !== 1n) return { ...row, state: 'running', isOwn: false, orphaned: false }; // another was faster
  await removePieces(transaction, row.attempt);
  return { isOwn: true, made };
}

/**
 * The task that a try has made, as far as it may come to be charged. A submit that failed has left one that only operators
 * see: its money is released, and a retry runs (contract 5). The same goes for one that was never sent, where the try is
 * known to have ended.
 */
async function taskUnder(
  transaction: Transaction,
  { request_id: requestId }: Pick<KeyRow, 'request_id'>,
  { endedHere }: { endedHere: boolean },
): Promise<MadeTask | undefined> {
  if (requestId === null) return undefined;
  const task = await transaction
    .selectFrom('tasks')
    .select(['id', 'state', 'deleted_at'])
    .where('request_id', '=', requestId)
    .executeTakeFirst();
  if (task === undefined || (endedHere && task.state === 'CREATED')) return undefined;
  return task.state === 'FAILURE' && task.deleted_at !== null ? undefined : { id: task.id, requestId };
}

async function isAlive(
  transaction: Transaction,
  row: KeyRow,
  { now, owner, silenceSeconds, runsHere }: KeyClaim & { now: number },
): Promise<boolean> {
  if (row.owner === owner) return runsHere(row.attempt);
  const alive = await transaction
    .selectFrom('processes')
    .select('id')
    .where('id', '=', row.owner)
    .where('heartbeat_at', '>=', now - silenceSeconds)
    .executeTakeFirst();
  return alive !== undefined;
}

export async function findKey(
  { reads }: Store,
  { scope, key }: Pick<KeyRow, 'scope' | 'key'>,
): Promise<KeyRow | undefined> {
  return reads
    .selectFrom('idempotency')
    .selectAll()
    .where('scope', '=', scope)
    .where('key', '=', key)
    .executeTakeFirst();
}

export async function addPiece(store: Store, attempt: string, position: number, bytes: Uint8Array): Promise<void> {
  await store.transaction((transaction) =>
    transaction.insertInto('idempotency_pieces').values({ attempt, position, bytes }).execute(),
  );
}

export async function readPiece({ reads }: Store, attempt: string, position: number): Promise<Uint8Array | undefined> {
  const row = await reads
    .selectFrom('idempotency_pieces')
    .select('bytes')
    .where('attempt', '=', attempt)
    .where('position', '=', position)
    .executeTakeFirst();
  return row?.bytes;
}

/** From here on everybody with the key gets this answer. */
export async function keepAnswer(store: Store, row: Try & Pick<KeyRow, 'status' | 'head'>) {
  const { status, head } = row;
  await store.transaction((transaction) =>
    transaction.updateTable('idempotency').set({ state: 'kept', status, head }).where(ofTry(row)).execute(),
  );
}

/** In the transaction that carries the request out: whatever happens later, it is not carried out again. */
export async function markDone(transaction: Transaction, claim: Try): Promise<void> {
  await transaction.updateTable('idempotency').set({ state: 'done' }).where(ofTry(claim)).execute();
}

/** The key is free again, unless the request was carried out; where it has made a task, for the process that takes that over. */
export async function forgetClaim(store: Store, claim: Try): Promise<void> {
  await store.transaction(async (transaction) => {
    await freeKey(transaction, claim);
    await removePieces(transaction, claim.attempt); // last, as everywhere: a change of a key locks it first
  });
}

async function freeKey(transaction: Transaction, claim: Try): Promise<void> {
  const held = transaction.selectFrom('idempotency').select('request_id').where(ofTry(claim));
  const row = await held.executeTakeFirst();
  if (row === undefined) return;
  if ((await taskUnder(transaction, row, { endedHere: true })) !== undefined)
    await transaction.updateTable('idempotency').set({ owner: NOBODY }).where(ofTry(claim)).execute();
  else await transaction.deleteFrom('idempotency').where(ofTry(claim)).where('state', '<>', 'done').execute();
}

export async function forgetExpired(store: Store): Promise<void> {
  const now = await store.now();
  await store.transaction(async (transaction) => {
    const rows = await transaction
      .deleteFrom('idempotency')
      .where('expires_at', '<=', now)
      .returning('attempt')
      .execute();
    const attempts = rows.map(({ attempt }) => attempt);
    for (let at = 0; at < attempts.length; at += NAMED_AT_ONCE)
      await transaction
        .deleteFrom('idempotency_pieces')
        .where('attempt', 'in', attempts.slice(at, at + NAMED_AT_ONCE))
        .execute();
  });
}

async function removePieces(transaction: Transaction, attempt: string): Promise<void> {
  await transaction.deleteFrom('idempotency_pieces').where('attempt', '=', attempt).execute();
}
