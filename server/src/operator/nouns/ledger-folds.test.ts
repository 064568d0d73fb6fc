import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LedgerFold } from '#contract/ledger.ts';
import { addAccount, addToken, endOperation, holdOperation } from '../../testing/fixtures.ts';
import { onEveryStore } from '../../testing/stores.ts';
import { makeOperatorApp } from '../testing/operator-app.ts';

const ONE = 1_000_000_000n;

onEveryStore((open) => {
  test('the entries of a request are one row with what it cost, wherever a page ends (issue 34 point 6)', async () => {
    const store = await open();
    const { call } = await makeOperatorApp(store);
    await addAccount(store, { id: 'acc_1', name: 'Acme' });
    await addToken(store, { id: 'tok_1', account_id: 'acc_1' });
    await call('POST', '/accounts/acc_1/credits', { amount: '100', note: 'first' });
    const owner = { account_id: 'acc_1', token_id: 'tok_1' };
    for (const id of ['req_a', 'req_b', 'req_c', 'req_d'])
      await store.commit(holdOperation({ id, ...owner, amount: 5n * ONE }));
    await store.commit(endOperation('req_b', 2n * ONE));
    await store.commit(endOperation('req_c', null));
    await store.commit(endOperation('req_a', 5n * ONE));

    const rowOf = ({ kind, request_id, amount, held, released }: LedgerFold) =>
      [kind, request_id ?? '', amount, held ?? '', released ?? ''].join(' ').trim();
    const all = async (limit: number, more = '') => {
      const rows: string[] = [];
      let cursor: string | null = null;
      do {
        const at: string = cursor === null ? '' : `&cursor=${cursor}`;
        const { body } = await call('GET', `/ledger/folded?limit=${limit}${at}${more}`);
        rows.push(...(body.data as LedgerFold[]).map(rowOf));
        cursor = body.next_cursor as string | null;
      } while (cursor !== null);
      return rows;
    };
    const whole = await all(50);
    assert.deepEqual(whole.toSorted(), [
      'charge req_a -5 5',
      'charge req_b -2 5 3',
      'credit  100',
      'hold req_d -5 5',
      'release req_c 0 5 5',
    ]);
    assert.match(whole[0] ?? '', /req_a/, 'newest entry first');
    for (const limit of [1, 2, 3]) assert.deepEqual(await all(limit), whole, `pages of ${limit}`);
    assert.deepEqual(await all(2, '&request_id=req_b'), ['charge req_b -2 5 3']);
    const { body } = await call('GET', '/ledger/folded?account_id=acc_1');
    assert.deepEqual(body.names, { acc_1: 'Acme', tok_1: body.names.tok_1 });
    assert.equal((await call('GET', '/ledger/folded?kind=hold')).status, 400);
  });
});
