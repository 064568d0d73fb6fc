// Opens every sealed value with one secret and seals it with another.
import { sql } from 'kysely';
import type { SecretBox } from '../../shared/secret-box.ts';
import type { Store, Transaction } from '../store.ts';

interface SealedColumn {
  table: string;
  key: readonly string[];
  /** Text may have sealed values inside of JSON; bytes are sealed as a whole. */
  column: string;
}

const SEALED: readonly SealedColumn[] = [
  { table: 'meta', key: ['key'], column: 'value' },
  { table: 'channels', key: ['id'], column: 'headers' },
  { table: 'channels', key: ['id'], column: 'options' },
  { table: 'channel_keys', key: ['id'], column: 'ciphertext' },
  { table: 'webhooks', key: ['account_id'], column: 'secret' },
  { table: 'alert_sinks', key: ['id'], column: 'secret' },
  { table: 'alert_sinks', key: ['id'], column: 'url' },
  { table: 'operators', key: ['id'], column: 'totp_secret' },
  { table: 'idempotency', key: ['scope', 'key'], column: 'head' },
  { table: 'idempotency_pieces', key: ['attempt', 'position'], column: 'bytes' },
  { table: 'request_bodies', key: ['id'], column: 'sealed' },
  { table: 'kept_responses', key: ['account_id', 'id'], column: 'sealed' },
];
const SEALED_TEXT = /\bv1\.[\w-]{38,}/g;
const AT_ONCE = 500;

export interface Boxes {
  from: SecretBox;
  to: SecretBox;
}

/** Resolves with the number of values. */
export function resealStore(store: Store, boxes: Boxes): Promise<number> {
  return store.rewrite(async (transaction) => {
    let values = 0;
    for (const column of SEALED) values += await resealColumn(transaction, column, boxes);
    return values;
  });
}

async function resealColumn(transaction: Transaction, sealed: SealedColumn, boxes: Boxes): Promise<number> {
  const { table, key, column } = sealed;
  const names = sql.join([...key, column].map((name) => sql.ref(name)));
  const order = sql.join(key.map((name) => sql.ref(name)));
  let values = 0;
  for (let offset = 0; ; offset += AT_ONCE) {
    const { rows } = await sql<Record<string, unknown>>`select ${names} from ${sql.table(table)}
      where ${sql.ref(column)} is not null order by ${order} limit ${sql.lit(AT_ONCE)} offset ${sql.lit(offset)}`.execute(
      transaction,
    );
    for (const row of rows) {
      const changed = resealValue(row[column], boxes);
      if (changed === undefined) continue;
      const same = sql.join(
        key.map((name) => sql`${sql.ref(name)} = ${row[name]}`),
        sql` and `,
      );
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${changed} where ${same}`.execute(transaction);
      values += 1;
    }
    if (rows.length < AT_ONCE) return values;
  }
}

/** undefined: nothing in it is sealed. */
function resealValue(value: unknown, { from, to }: Boxes): string | Buffer | undefined {
  if (value instanceof Uint8Array) return to.sealBytes(from.openBytes(value));
  const text = String(value);
  const changed = text.replace(SEALED_TEXT, (sealed) => to.seal(from.open(sealed)));
  return changed === text ? undefined : changed;
}
