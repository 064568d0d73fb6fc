// What the simulation begins with: one account with little money, one token, one channel of videos and one model.
import type { SecretBox } from '../../../server/src/shared/secret-box.ts';
import type { SimulatedDatabase } from './simulated-store.ts';

export const ACCOUNT = 'acc';
export const TOKEN = 'tok';
export const MODEL = 'video-1';
/** Enough for most of what is asked, so that some of it is refused. */
export const CREDIT = 60_000_000_000n;

const AT = 1_760_000_000;

export function fillDatabase(database: SimulatedDatabase, secretBox: SecretBox): void {
  const insert = (table: string, row: Record<string, unknown>): void => {
    const names = Object.keys(row);
    const sql = `insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`;
    database.run(sql, Object.values(row));
  };
  insert('accounts', {
    id: ACCOUNT,
    name: ACCOUNT,
    group_name: 'default',
    status: 'active',
    balance: CREDIT,
    created_at: AT,
  });
  insert('ledger', {
    kind: 'credit',
    account_id: ACCOUNT,
    amount: CREDIT,
    balance_after: CREDIT,
    mode: 'live',
    author: 'simulation',
    created_at: AT,
  });
  insert('tokens', {
    id: TOKEN,
    account_id: ACCOUNT,
    name: TOKEN,
    ip_allow: '[]',
    rate: '{"rpm":null,"tpm":null,"concurrency":null}',
    mode: 'live',
    status: 'enabled',
    options: '{}',
    key_hint: 'sk',
    used: 0n,
    held: 0n,
    created_at: AT,
  });
  insert('channels', {
    id: 'ch',
    name: 'ch',
    provider: 'beta-video',
    base_url: 'http://127.0.0.1:1/api/v3',
    models: `{"${MODEL}":"upstream-model"}`,
    priority: 0,
    weight: 1,
    status: 'enabled',
    headers: '{}',
    options: '{}',
    sandbox: 0,
    created_at: AT,
  });
  insert('channel_keys', {
    id: 'key',
    channel_id: 'ch',
    position: 0,
    ciphertext: secretBox.seal('upstream-key'),
    hint: '',
  });
  insert('models', {
    id: MODEL,
    owned_by: 'x',
    endpoint_types: '[]',
    price: '{"unit":"video_tokens","generate":"7","video_input":"4"}',
    enabled: 1,
    sandbox: 0,
    created: AT,
  });
}
