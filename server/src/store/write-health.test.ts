// The store knows whether its last write succeeded (contract-2 10), on both engines, by errors that the engines really make.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { addAccount, addToken, holdOperation } from '../testing/fixtures.ts';
import { onEveryStore } from '../testing/stores.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { heartbeat } from './queries/processes.ts';
import type { Store } from './store.ts';
import { WriteHealth } from './write-health.ts';

test('a write that was refused for what was in it says nothing of the store', () => {
  const health = new WriteHealth((error) => (error === 'full' ? 'the disk is full' : undefined));
  assert.equal(health.failed('doubled key'), 'doubled key');
  assert.equal(health.problem, undefined);
  const answered = health.failed('full') as Error;
  assert.match(answered.message, /cannot save this request: the disk is full\. Retry later/);
  assert.equal(health.problem, 'the disk is full');
  health.failed('doubled key');
  assert.equal(health.problem, 'the disk is full', 'nothing has succeeded since');
  health.succeeded();
  assert.equal(health.problem, undefined);
});

/** Makes the store take no writes, as an operator's accident would. */
async function spoil(store: Store): Promise<{ fault: RegExp; mend(): Promise<void> }> {
  if (store.dialect === 'sqlite') {
    await store.transaction((transaction) => sql`pragma max_page_count = 1`.execute(transaction));
    return {
      fault: /the disk of the database is full/,
      mend: async () => {
        await store.transaction((transaction) => sql`pragma max_page_count = 1000000`.execute(transaction));
      },
    };
  }
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(store.reads);
  const name = sql.ref(rows[0]?.name ?? '');
  const setTo = async (word: 'on' | 'off'): Promise<void> => {
    // The connection that changes the setting may still write, also while it is on.
    await store.transaction(async (transaction) => {
      await sql`set transaction read write`.execute(transaction);
      await sql`alter database ${name} set default_transaction_read_only = ${sql.raw(word)}`.execute(transaction);
    });
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(store.reads);
    await sql`select pg_terminate_backend(pg_backend_pid())`.execute(store.reads).catch(() => {});
    const answers = (): Promise<boolean> =>
      store.ping().then(
        () => true,
        () => false,
      );
    await waitUntil(answers, 'no new connection');
  };
  await setTo('on');
  return { fault: /the database is read-only/, mend: () => setTo('off') };
}

onEveryStore((open) => {
  test('writes of both kinds that fail make it unwritable, are answered 503, and the next good one makes it well', async () => {
    const store = await open();
    await addAccount(store, { id: 'acc', balance: 1_000n });
    await addToken(store, { id: 'tok', account_id: 'acc' });
    assert.equal(store.writeProblem(), undefined);
    const { fault, mend } = await spoil(store);
    // Long, so that they need pages that are not there.
    const note = 'x'.repeat(200_000);
    const isClear = (error: unknown): boolean => {
      const { code, message } = error as { code: string; message: string };
      return code === 'overloaded' && fault.test(message);
    };
    await assert.rejects(addAccount(store, { id: 'more', name: note }), isClear);
    assert.match(String(store.writeProblem()), fault);
    assert.equal(await store.ping(), undefined, 'it answers all the same');
    const hold = holdOperation({ id: 'h1', account_id: 'acc', token_id: 'tok', amount: 1n, price: note });
    await assert.rejects(store.commit(hold), isClear);
    assert.match(String(store.writeProblem()), fault);
    await mend();
    await heartbeat(store, 'proc_x');
    assert.equal(store.writeProblem(), undefined);
    assert.equal(await store.commit(hold), 'held');
  });
});
