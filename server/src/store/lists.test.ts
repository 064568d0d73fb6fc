import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RawBuilder, sql } from 'kysely';
import { GatewayError } from '../errors/gateway-error.ts';
import { onEveryStore } from '../testing/stores.ts';
import { LIST_LIMIT_MS } from './list-too-slow.ts';
import { nameMatches } from './queries/name-matches.ts';
import { listTokens } from './queries/tokens.ts';
import { addAccount, addToken } from '../testing/fixtures.ts';

/** Counts for many seconds on any machine. */
const slow: RawBuilder<{ count: number }> = sql`
  with recursive counted (n) as (select 1 union all select n + 1 from counted where n < 1000000000)
  select count(*) as count from counted`;

onEveryStore((open, dialect) => {
  test('a list that takes longer than a second is ended, and its reader is asked to narrow it (promise A-14)', async () => {
    const { lists } = await open();
    await sql`select 1`.execute(lists); // whatever must start has started
    const started = performance.now();
    await assert.rejects(slow.execute(lists), (error) => {
      assert.ok(error instanceof GatewayError);
      assert.deepEqual([error.code, error.status], ['list_too_slow', 503]);
      assert.match(error.message, /Narrow it/);
      return true;
    });
    const took = performance.now() - started;
    assert.ok(took >= LIST_LIMIT_MS * 0.9 && took < LIST_LIMIT_MS * 20, `${took} ms`);
  });

  test('lookups are answered while a list is slow, and lists again as soon as it has ended', async () => {
    const store = await open();
    await addAccount(store, { id: 'acc_1' });
    await sql`select 1`.execute(store.lists);
    const ended = assert.rejects(slow.execute(store.lists));
    let isOver = false;
    void ended.finally(() => {
      isOver = true;
    });
    const found = await store.reads.selectFrom('accounts').select('id').execute();
    assert.deepEqual([found, isOver], [[{ id: 'acc_1' }], false]);
    await ended;
    assert.deepEqual(await store.lists.selectFrom('accounts').select('id').execute(), [{ id: 'acc_1' }]);
  });

  test('lists see what was committed a moment ago, take wildcards for letters, and say what is wrong with a statement', async () => {
    const store = await open();
    await addAccount(store, { id: 'acc_1' });
    await addToken(store, { id: 'tok_1', account_id: 'acc_1', name: '50%_off\\' });
    assert.equal((await listTokens(store.lists, { q: '%_OFF\\', limit: 10 })).length, 1);
    assert.equal((await listTokens(store.lists, { q: '%'.repeat(100), limit: 10 })).length, 0);
    const { rows } = await sql<{ id: string }>`select id from tokens where ${nameMatches('_')}`.execute(store.lists);
    assert.deepEqual(rows, [{ id: 'tok_1' }]);
    await assert.rejects(sql`select * from no_such_table`.execute(store.lists), /no_such_table/);
    if (dialect === 'sqlite') await assert.rejects(sql`delete from tokens`.execute(store.lists), /readonly/);
    assert.equal((await store.reads.selectFrom('tokens').select('id').execute()).length, 1);
  });
});
