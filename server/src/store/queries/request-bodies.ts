// Kept bodies of requests, sealed: written in batches, read one by one, forgotten in small steps.
import { firstIdAt } from '../../shared/ids.ts';
import type { SecretBox } from '../../shared/secret-box.ts';
import type { Store } from '../store.ts';
import type { RequestBodiesTable } from '../tables.ts';
import { findBy } from './rows.ts';

export interface KeptBody {
  contentType: string | null;
  /** Of the whole body. */
  bytes: number;
  /** Its beginning; null where it is no text. */
  text: string | null;
}

export interface KeptPair {
  request: KeptBody | null;
  answer: KeptBody | null;
}

const FORGET_AT_ONCE = 200;

export function sealBodies({ request, answer }: KeptPair, box: SecretBox): Buffer {
  return box.sealBytes(Buffer.from(JSON.stringify({ request, answer })));
}

export function openBodies({ sealed }: RequestBodiesTable, box: SecretBox): KeptPair {
  return JSON.parse(box.openBytes(sealed).toString()) as KeptPair;
}

export async function insertBodies(store: Store, rows: RequestBodiesTable[]): Promise<void> {
  await store.transaction((transaction) =>
    transaction
      .insertInto('request_bodies')
      .values(rows)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute(),
  );
}

export const findBodies = findBy('request_bodies', 'id');

/** One step; true when there is more to forget. Ids begin with their time. */
export async function forgetBodies(store: Store, before: number): Promise<boolean> {
  const { numDeletedRows } = await store.transaction((transaction) =>
    transaction
      .deleteFrom('request_bodies')
      .where('id', 'in', (rows) =>
        rows
          .selectFrom('request_bodies')
          .select('id')
          .where('id', '<', firstIdAt('req', Math.max(0, before) * 1000))
          .orderBy('id')
          .limit(FORGET_AT_ONCE),
      )
      .executeTakeFirst(),
  );
  return numDeletedRows === BigInt(FORGET_AT_ONCE);
}
