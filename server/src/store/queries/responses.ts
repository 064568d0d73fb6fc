// Which channel and key made a response that its upstream keeps. Known to its account alone, and for as long as upstreams
// usually keep them.
import { type Clock, unixSeconds } from '../../shared/clock.ts';
import type { Reads, Store, Transaction } from '../store.ts';
import type { ResponsesTable } from '../tables.ts';
import { insertObjects, type MadeObject } from './upstream-objects.ts';

export const KEPT_SECONDS = 30 * 24 * 3_600;

async function findResponse(
  reads: Reads,
  { accountId, id, after }: { accountId: string; id: string; after: number },
): Promise<ResponsesTable | undefined> {
  return reads
    .selectFrom('responses')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('created_at', '>', after)
    .executeTakeFirst();
}

/** Also forgets those that are too old. */
async function insertResponse(transaction: Transaction, row: ResponsesTable): Promise<void> {
  const { channel_id, key_id, created_at, model = null } = row;
  await transaction
    .deleteFrom('responses')
    .where('created_at', '<=', created_at - KEPT_SECONDS)
    .execute();
  await transaction
    .insertInto('responses')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'id']).doUpdateSet({ channel_id, key_id, created_at, model }),
    )
    .execute();
}

export async function deleteResponse(transaction: Transaction, accountId: string, id: string): Promise<void> {
  await transaction.deleteFrom('responses').where('account_id', '=', accountId).where('id', '=', id).execute();
}

export interface ResponseChannelKey {
  channelId: string;
  keyId: string;
  /** Absent where an older version remembered it. */
  model?: string | undefined;
}

/** The same in the words of those who relay responses. */
export interface ResponseChannelKeys {
  find(accountId: string, id: string): Promise<ResponseChannelKey | undefined>;
  /** Durable when it resolves. */
  remember(
    accountId: string,
    id: string,
    channelKey: ResponseChannelKey,
    objects?: readonly MadeObject[],
  ): Promise<void>;
  forget(accountId: string, id: string): Promise<void>;
}

export function responseChannelKeys(store: Store, clock: Clock): ResponseChannelKeys {
  return {
    async find(accountId, id) {
      const row = await findResponse(store.reads, { accountId, id, after: unixSeconds(clock) - KEPT_SECONDS });
      if (row === undefined) return undefined;
      const { channel_id: channelId, key_id: keyId, model } = row;
      return typeof model === 'string' ? { channelId, keyId, model } : { channelId, keyId };
    },
    remember: (accountId, id, channelKey, objects = []) =>
      store.transaction(async (transaction) => {
        const at = unixSeconds(clock);
        const { channelId, keyId, model = null } = channelKey;
        await insertResponse(transaction, {
          account_id: accountId,
          id,
          channel_id: channelId,
          key_id: keyId,
          created_at: at,
          model,
        });
        await insertObjects(transaction, { accountId, objects, channelKey, at });
      }),
    forget: (accountId, id) => store.transaction((transaction) => deleteResponse(transaction, accountId, id)),
  };
}
