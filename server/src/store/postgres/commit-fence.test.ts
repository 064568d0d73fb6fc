import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import pg from 'pg';
import { addAccount, requestRow } from '../../testing/fixtures.ts';
import { makeMigratedDatabase } from '../../testing/templates.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { openPostgresStore } from './open-postgres-store.ts';

const server = process.env['TEST_DATABASE_URL'];
const skip = server === undefined ? 'TEST_DATABASE_URL is not set; npm test sets it' : false;

async function open(t: TestContext) {
  const databaseUrl = await makeMigratedDatabase(server ?? '');
  const store = await openPostgresStore(databaseUrl);
  const other = new pg.Client({ connectionString: databaseUrl });
  await other.connect();
  t.after(async () => {
    await other.end();
    await store.close();
  });
  return { store, other };
}

const ENTRY = `insert into ledger (kind, account_id, amount, balance_after, mode, created_at)
  values ('credit', 'late', 1, 1, 'live', 1) returning id`;
const LINE = `insert into requests
  (id, account_id, token_id, group_name, endpoint, status, attempts, total_ms, charge, mode, created_at)
  values ('req_slow', 'a', 't', 'default', '/v1/x', 200, '[]', 1, 0, 'live', 1) returning change as id`;

describe('the fence of committed rows (contract-2 12)', { skip }, () => {
  for (const [table, insert] of [
    ['ledger', ENTRY],
    ['requests', LINE],
  ] as const)
    test(`an older transaction of the ${table} holds it back, and nobody waits for it`, async (t) => {
      const { store, other } = await open(t);
      const write = async (id: string) => {
        if (table === 'ledger') await addAccount(store, { id, balance: 5n });
        else await store.commit({ kind: 'log', request: requestRow({ id }) });
      };
      await write('before');
      const before = await store.committedUpTo(table);
      await other.query('begin');
      const { rows } = await other.query<{ id: string }>(insert);
      const late = BigInt(rows[0]?.id ?? 0);
      await write('after'); // its number is higher, and it is committed
      assert.equal(await store.committedUpTo(table), before, 'the number of the open transaction may still appear');
      await other.query('commit');
      await write('last');
      await waitUntil(async () => (await store.committedUpTo(table)) > late, 'the fence does not move on');
    });

  test('a transaction that is given up holds nothing back', async (t) => {
    const { store, other } = await open(t);
    await other.query('begin');
    await other.query(ENTRY);
    await addAccount(store, { id: 'acc', balance: 5n });
    await other.query('rollback');
    await waitUntil(async () => (await store.committedUpTo('ledger')) >= 2n, 'the fence does not move on');
  });
});
