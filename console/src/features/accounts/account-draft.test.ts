import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Account, accountCreate, accountPatch } from '#contract/accounts.ts';
import { bodyOf, draftOf } from './account-draft.ts';

test('a fresh draft with a name is an account without any limit', () => {
  const body = accountCreate.parse(bodyOf({ ...draftOf(undefined), name: ' Acme ', budgetPeriod: 'day' }));
  assert.deepEqual([body.name, body.budget, body.budget_period], ['Acme', null, null]);
  assert.deepEqual(body.rate, { rpm: null, tpm: null, concurrency: null });
});

test('limits come back from an account as they went in', () => {
  const sent = {
    name: 'a',
    group: 'gold',
    models: ['x*'],
    budget: '12.5',
    budget_period: 'month' as const,
    rate: { rpm: null, tpm: 1000, concurrency: 1 },
  };
  const account: Account = {
    ...sent,
    id: 'acc_1',
    status: 'active',
    balance: '1',
    budget_start: 0,
    external_id: null,
    budget_used: '0',
    created_at: 1,
    etag: 'e',
  };
  assert.deepEqual(accountPatch.parse(bodyOf(draftOf(account))), sent);
});
