// A charge is given back once, exactly, by an operator with a reason (issue 34 point 4).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countBooks, wrongAccounts, wrongHolds, wrongSums, wrongTokens } from '../../store/queries/reconcile.ts';
import type { Store } from '../../store/store.ts';
import { addToken, endOperation, holdOperation, requestRow } from '../../testing/fixtures.ts';
import { onEveryStore } from '../../testing/stores.ts';
import { taskEnd, taskHold, taskRow } from '../../testing/task-rows.ts';
import { makeOperatorApp } from '../testing/operator-app.ts';

/** An account with 1 in it, and a token. */
async function openBooks(store: Store) {
  const app = await makeOperatorApp(store);
  const account = (await app.call('POST', '/accounts', { name: 'a' })).body;
  await app.call('POST', `/accounts/${account.id}/credits`, { amount: '1' });
  await addToken(store, { id: 'tok_1', account_id: account.id });
  const charged = async (id: string, charge: bigint): Promise<void> => {
    const owner = { account_id: account.id, token_id: 'tok_1' };
    await store.commit(holdOperation({ id, ...owner, amount: 100n }));
    const request = requestRow({ id, ...owner, charge });
    await store.commit({ ...endOperation(id, charge), request });
  };
  const balance = async (): Promise<string> => (await app.call('GET', `/accounts/${account.id}`)).body.balance;
  return { ...app, account, charged, balance };
}

async function assertSound(store: Store): Promise<void> {
  for (const check of [wrongAccounts, wrongTokens, wrongHolds, wrongSums])
    assert.deepEqual(await check(store.reads), [], check.name);
}

onEveryStore((open) => {
  test('the whole charge is given back as a credit of the request, with reason and author, and the books agree', async () => {
    const store = await open();
    const { call, charged, balance, account } = await openBooks(store);
    await charged('req_1', 70n);
    assert.equal(await balance(), '0.99999993');
    assert.equal((await call('GET', '/requests/req_1')).body.refund, null);
    const { status, body } = await call('POST', '/requests/req_1/refund', { reason: 'answer was cut' });
    assert.deepEqual(
      [status, body.kind, body.amount, body.request_id, body.token_id, body.note, body.balance_after],
      [201, 'credit', '0.00000007', 'req_1', 'tok_1', 'answer was cut', '1'],
    );
    assert.equal(await balance(), '1');
    const { refund, charge } = (await call('GET', '/requests/req_1')).body;
    assert.deepEqual(
      [refund.amount, refund.reason, refund.ledger_id, charge],
      ['0.00000007', 'answer was cut', body.id, '0.00000007'],
    );
    const kinds = (await call('GET', '/ledger?request_id=req_1')).body.data.map(
      (entry: { kind: string }) => entry.kind,
    );
    assert.deepEqual(kinds, ['credit', 'release', 'settle', 'hold']);
    const [audit] = (await call('GET', '/audit?resource=request')).body.data;
    assert.deepEqual(
      [audit.action, audit.resource_id, audit.detail],
      [
        'request.refund',
        'req_1',
        { account_id: account.id, amount: '0.00000007', reason: 'answer was cut', ledger_id: body.id },
      ],
    );
    await assertSound(store);
    assert.equal((await countBooks(store.reads)).granted, '1000000070');
  });

  test('a request is refunded once, however many ask at once', async () => {
    const store = await open();
    const { call, charged, balance } = await openBooks(store);
    await charged('req_1', 70n);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => call('POST', '/requests/req_1/refund', { reason: 'r', amount: '0.00000002' })),
    );
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [201, 409, 409, 409, 409],
    );
    assert.equal(await balance(), '0.99999995', 'a part of the charge');
    await assertSound(store);
  });

  test('what was not charged, or more than was charged, is refused', async () => {
    const store = await open();
    const { call, charged, balance } = await openBooks(store);
    await charged('req_1', 70n);
    await charged('req_2', 0n);
    const cases: [id: string, body: object, status: number, param: string | null][] = [
      ['req_9', { reason: 'r' }, 404, null],
      ['req_2', { reason: 'r' }, 409, null],
      ['req_1', {}, 400, 'reason'],
      ['req_1', { reason: '' }, 400, 'reason'],
      ['req_1', { reason: 'r', amount: '0' }, 400, 'amount'],
      ['req_1', { reason: 'r', amount: '-1' }, 400, 'amount'],
      ['req_1', { reason: 'r', amount: '0.000000071' }, 400, 'amount'],
    ];
    for (const [id, body, status, param] of cases) {
      const answer = await call('POST', `/requests/${id}/refund`, body);
      assert.deepEqual([answer.status, answer.body.error.param], [status, param], JSON.stringify([id, body]));
    }
    assert.equal(await balance(), '0.99999993');
  });

  test('a video is refunded by the request that submitted it', async () => {
    const store = await open();
    const { call, account, balance } = await openBooks(store);
    const row = taskRow({ id: 'task_1', account_id: account.id, token_id: 'tok_1' });
    await store.commit(taskHold(row));
    const end = taskEnd(row, 70n);
    await store.commit({ ...end, request: requestRow({ id: row.request_id, account_id: account.id, charge: 70n }) });
    const { status, body } = await call('POST', `/requests/${row.request_id}/refund`, { reason: 'blurred' });
    assert.deepEqual([status, body.task_id, body.amount], [201, 'task_1', '0.00000007']);
    assert.equal((await call('GET', `/requests/${row.request_id}`)).body.refund.amount, '0.00000007');
    assert.equal(await balance(), '1');
    assert.equal((await call('POST', `/requests/${row.request_id}/refund`, { reason: 'again' })).status, 409);
    await assertSound(store);
  });
});
