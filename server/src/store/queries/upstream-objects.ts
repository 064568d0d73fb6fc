// Who made which object that an upstream keeps under our key, and where. Only hashes of ids are kept; each account knows its
// own alone.
import { createHash } from 'node:crypto';
import { type Clock, unixSeconds } from '../../shared/clock.ts';
import type { Store, Transaction } from '../store.ts';
import type { UpstreamObjectsTable } from '../tables.ts';

export interface ObjectChannelKey {
  channelId: string;
  keyId: string;
}

export interface MadeObject {
  id: string;
  kind: UpstreamObjectsTable['kind'];
}

export interface UpstreamObjects {
  /** Those of the ids that this account made, with where they are kept. */
  find(accountId: string, ids: readonly string[]): Promise<Map<string, ObjectChannelKey>>;
  /** Durable when it resolves. */
  remember(accountId: string, objects: readonly MadeObject[], channelKey: ObjectChannelKey): Promise<void>;
}

const DAY = 24 * 3_600;
/** Upstreams keep items for 30 days, and files until somebody deletes them. */
const KEPT_DAYS: Readonly<Record<MadeObject['kind'], number>> = { item: 30, audio: 30, container: 60, file: 400 };
/** No vendor has ids this long. */
const LONGEST_ID = 1_000;
/** Rows of one statement. */
const AT_ONCE = 200;

export function upstreamObjects(store: Store, clock: Clock): UpstreamObjects {
  return {
    async find(accountId, ids) {
      const byHash = new Map(ids.filter(({ length }) => length <= LONGEST_ID).map((id) => [hashOf(id), id]));
      const hashes = [...byHash.keys()];
      const found = new Map<string, ObjectChannelKey>();
      for (let start = 0; start < hashes.length; start += AT_ONCE) {
        const rows = await store.reads
          .selectFrom('upstream_objects')
          .select(['id_hash', 'channel_id', 'key_id'])
          .where('account_id', '=', accountId)
          .where('id_hash', 'in', hashes.slice(start, start + AT_ONCE))
          .where('expires_at', '>', unixSeconds(clock))
          .execute();
        for (const { id_hash, channel_id, key_id } of rows)
          found.set(byHash.get(id_hash) ?? '', { channelId: channel_id, keyId: key_id });
      }
      return found;
    },
    remember: (accountId, objects, channelKey) =>
      store.transaction((transaction) =>
        insertObjects(transaction, { accountId, objects, channelKey, at: unixSeconds(clock) }),
      ),
  };
}

export interface ObjectRows {
  accountId: string;
  objects: readonly MadeObject[];
  channelKey: ObjectChannelKey;
  at: number;
}

export async function insertObjects(
  transaction: Transaction,
  { accountId, objects, channelKey, at }: ObjectRows,
): Promise<void> {
  const rows = new Map<string, UpstreamObjectsTable>();
  for (const { id, kind } of objects) {
    if (id === '' || id.length > LONGEST_ID) continue;
    rows.set(hashOf(id), {
      account_id: accountId,
      id_hash: hashOf(id),
      kind,
      channel_id: channelKey.channelId,
      key_id: channelKey.keyId,
      created_at: at,
      expires_at: at + KEPT_DAYS[kind] * DAY,
    });
  }
  const all = [...rows.values()];
  for (let start = 0; start < all.length; start += AT_ONCE)
    await transaction
      .insertInto('upstream_objects')
      .values(all.slice(start, start + AT_ONCE))
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'id_hash']).doUpdateSet((row) => ({
          channel_id: row.ref('excluded.channel_id'),
          key_id: row.ref('excluded.key_id'),
          expires_at: row.ref('excluded.expires_at'),
        })),
      )
      .execute();
}

/** One step; true when there is more to forget. */
export async function forgetObjects(store: Store, now: number): Promise<boolean> {
  const { numDeletedRows } = await store.transaction((transaction) =>
    transaction
      .deleteFrom('upstream_objects')
      .where((row) =>
        row(
          row.refTuple('account_id', 'id_hash'),
          'in',
          row
            .selectFrom('upstream_objects')
            .select(['account_id', 'id_hash'])
            .where('expires_at', '<=', now)
            .limit(AT_ONCE)
            .$asTuple('account_id', 'id_hash'),
        ),
      )
      .executeTakeFirst(),
  );
  return numDeletedRows === BigInt(AT_ONCE);
}

function hashOf(id: string): string {
  return createHash('sha256').update(id).digest().toString('base64url', 0, 18);
}
