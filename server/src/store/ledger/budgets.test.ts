// Quotas and budgets of a period, decided in the ledger's own transaction.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addAccount, addToken, endOperation, holdOperation } from '../../testing/fixtures.ts';
import { onEveryStore } from '../../testing/stores.ts';
import { leastMoney } from '../queries/free-money.ts';
import type { Store } from '../store.ts';

const at = (text: string): number => Date.parse(`${text}Z`) / 1000;
const MONDAY = at('2026-03-02T08:00:00');
const DAY = 86_400;

const hold = (id: string, amount: bigint, created_at: number, token_id = 'tok') =>
  holdOperation({ id, account_id: 'acc', token_id, amount, created_at });
const end = (id: string, charge: bigint | null, time: number) => ({ ...endOperation(id, charge), at: time });

async function usedOf(store: Store): Promise<bigint[]> {
  const { budget_used } = await store.reads.selectFrom('accounts').select('budget_used').executeTakeFirstOrThrow();
  const tokens = await store.reads.selectFrom('tokens').select('period_used').orderBy('id').execute();
  return [budget_used, ...tokens.map((row) => row.period_used)];
}

onEveryStore((open) => {
  test('a quota of a day is there again the next day, and `used` goes on', async () => {
    const store = await open();
    await addAccount(store, { id: 'acc', balance: 1_000n });
    await addToken(store, { id: 'tok', account_id: 'acc', quota: 100n, quota_period: 'day', period_start: MONDAY });
    assert.equal(await store.commit(hold('a', 70n, MONDAY)), 'held');
    assert.equal(await store.commit(hold('b', 31n, MONDAY)), 'quota_too_low');
    await store.commit(end('a', 50n, MONDAY));
    assert.equal(await store.commit(hold('c', 50n, MONDAY)), 'held', 'what was not charged is free again');
    assert.equal(await store.commit(hold('d', 1n, MONDAY)), 'quota_too_low');
    assert.equal(await store.commit(hold('e', 100n, MONDAY + DAY)), 'held');
    await store.commit(end('c', 50n, MONDAY + DAY));
    assert.deepEqual(await usedOf(store), [0n, 100n], 'what was held yesterday counted yesterday');
    await store.commit(end('e', 10n, MONDAY + DAY));
    const token = await store.reads.selectFrom('tokens').selectAll().executeTakeFirstOrThrow();
    assert.deepEqual([token.used, token.held, token.period_used], [110n, 0n, 10n]);
  });

  test("an account's budget holds over all its live tokens, within one batch too", async () => {
    const store = await open();
    await addAccount(store, { id: 'acc', balance: 1_000n, budget: 7n, budget_period: 'week', budget_start: MONDAY });
    await addToken(store, { id: 'tok', account_id: 'acc' });
    await addToken(store, { id: 'tok2', account_id: 'acc' });
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        store.commit(hold(`h${index}`, 1n, MONDAY, index % 2 === 0 ? 'tok' : 'tok2')),
      ),
    );
    assert.equal(results.filter((result) => result === 'held').length, 7);
    assert.equal(results.filter((result) => result === 'budget_too_low').length, 43);
    const test = holdOperation({ id: 't', account_id: 'acc', token_id: 'tok', amount: 5n, mode: 'test' });
    assert.equal(await store.commit(test), 'held', 'test calls have no part in it');
    assert.equal((await usedOf(store))[0], 7n);
    assert.equal(await store.commit(hold('next', 7n, MONDAY + 7 * DAY)), 'held');
  });

  test("a member's cap holds over all tokens that the member made, within one batch too (contract-2 10)", async () => {
    const store = await open();
    await addAccount(store, { id: 'acc', balance: 1_000n });
    for (const id of ['tok', 'tok2', 'tok3']) await addToken(store, { id, account_id: 'acc' });
    await store.transaction(async (transaction) => {
      const member = { id: 'mem', account_id: 'acc', email: 'a@b.c', role: 'member', status: 'active' } as const;
      const none = { password_hash: null, invite_hash: null, invite_expires_at: null } as const;
      const cap = { cap: 7n, cap_period: 'week', cap_start: MONDAY, cap_used: 0n } as const;
      await transaction
        .insertInto('members')
        .values({ ...member, ...none, ...cap, created_at: MONDAY })
        .execute();
      await transaction.updateTable('tokens').set({ member_id: 'mem' }).where('id', 'in', ['tok', 'tok2']).execute();
    });
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        store.commit(hold(`h${index}`, 1n, MONDAY, index % 2 === 0 ? 'tok' : 'tok2')),
      ),
    );
    assert.equal(results.filter((result) => result === 'held').length, 7);
    assert.equal(results.filter((result) => result === 'cap_too_low').length, 43);
    const capped = await leastMoney(store, { tokenId: 'tok', mode: 'live', at: MONDAY });
    assert.deepEqual([capped.amount, capped.refusal], [0n, 'cap_too_low'], 'what is left counts the cap too');
    const test = await leastMoney(store, { tokenId: 'tok', mode: 'test', at: MONDAY });
    assert.notEqual(test.amount, 0n, 'test calls have no part in it');
    const nextWeek = await leastMoney(store, { tokenId: 'tok', mode: 'live', at: MONDAY + 7 * DAY });
    assert.equal(nextWeek.amount, 7n);
    assert.equal(await store.commit(hold('other', 5n, MONDAY, 'tok3')), 'held', 'a token of somebody else');
    const held = results.indexOf('held');
    await store.commit(end(`h${held}`, null, MONDAY));
    assert.equal(await store.commit(hold('again', 1n, MONDAY, 'tok')), 'held', 'what was given back is free again');
    const capUsed = store.reads.selectFrom('members').select('cap_used');
    assert.equal((await capUsed.executeTakeFirstOrThrow()).cap_used, 7n);
    assert.equal(await store.commit(hold('next', 7n, MONDAY + 7 * DAY, 'tok2')), 'held');
  });

  test('a clock that is behind the period which another process has begun is limited by that one', async () => {
    const store = await open();
    await addAccount(store, { id: 'acc', balance: 1_000n, budget: 90n, budget_period: 'day', budget_start: MONDAY });
    await addToken(store, { id: 'tok', account_id: 'acc', quota: 100n, quota_period: 'day', period_start: MONDAY });
    assert.equal(await store.commit(hold('ahead', 60n, MONDAY + DAY)), 'held');
    assert.equal(await store.commit(hold('a', 31n, MONDAY)), 'budget_too_low');
    assert.equal(await store.commit(hold('b', 30n, MONDAY)), 'held');
    assert.deepEqual(await usedOf(store), [90n, 90n]);
    await store.commit(end('b', 10n, MONDAY));
    assert.deepEqual(await usedOf(store), [70n, 70n], 'and gets back what it did not cost');
  });

  test('a refused hold leaves no trace in any of the limits', async () => {
    const store = await open();
    await addAccount(store, { id: 'acc', balance: 1_000n, budget: 10n, budget_period: null });
    await addToken(store, { id: 'tok', account_id: 'acc', quota: 100n, quota_period: 'month' });
    assert.equal(await store.commit(hold('a', 11n, MONDAY)), 'budget_too_low');
    assert.deepEqual(await usedOf(store), [0n, 0n]);
    const { balance } = await store.reads.selectFrom('accounts').select('balance').executeTakeFirstOrThrow();
    assert.equal(balance, 1_000n);
  });
});
