import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditSummary } from './audit-summary.ts';

test('a change is read as what each field was and became (issue 34 point 6)', () => {
  const words = (detail: Record<string, unknown>) => auditSummary({ detail });
  assert.equal(words({ quota: { from: '5', to: '10' } }), 'quota 5 → 10');
  assert.equal(
    words({ budget: { from: null, to: '20' }, budget_period: { from: null, to: 'month' } }),
    'budget none → 20; budget period none → month',
  );
  assert.equal(words({ rate: { from: { rpm: 5, tpm: null }, to: { rpm: 9, tpm: null } } }), 'rate rpm 5 → 9');
  assert.equal(words({ models: { from: ['a'], to: ['a', 'b'] } }), 'models a → a, b');
  assert.equal(words({ id: 'acc_1', name: 'Acme', group: 'default', models: [], headers: {} }), 'name Acme');
  assert.equal(words({ amount: '12.5', note: 'invoice', ledger_id: '7' }), 'amount 12.5, note invoice');
  assert.equal(words({ name: 'CI', ip_allow: [], headers: {} }), 'name CI');
  assert.equal(words({}), '');
});
