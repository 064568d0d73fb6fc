import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EFFORTS } from './generation.ts';
import { budgetOf, effortOf } from './reasoning.ts';

test('an effort is kept as the caller wrote it', () => {
  for (const effort of EFFORTS) assert.equal(effortOf({ effort, budget: 5 }), effort);
});

test('a budget becomes a word that every model understands', () => {
  const efforts = [0, 1, 1024, 2048, 2049, 8192, 8193, 1_000_000].map((budget) => effortOf({ budget }));
  assert.deepEqual(efforts, ['none', 'low', 'low', 'low', 'medium', 'medium', 'high', 'high']);
});

test('an effort becomes a budget, and more effort never a smaller one', () => {
  const budgets = EFFORTS.map((effort) => budgetOf({ effort }) ?? -1);
  assert.deepEqual(
    budgets,
    budgets.toSorted((one, other) => one - other),
  );
  assert.equal(budgetOf({ effort: 'none' }), 0);
  assert.equal(budgetOf({ effort: 'high', budget: 77 }), 77);
});

test('what the caller leaves to the model stays so', () => {
  for (const request of [{}, { budget: -1 }, { isShown: true }]) {
    assert.equal(effortOf(request), undefined);
    assert.equal(budgetOf(request), undefined);
  }
});
