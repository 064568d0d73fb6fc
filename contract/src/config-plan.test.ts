import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultThresholds } from './alert-rules.ts';
import { emptyResources, planConfig } from './config-plan.ts';

const resources = (more: Partial<ReturnType<typeof emptyResources>>) => ({ ...emptyResources(), ...more });

test('a plan names what is missing and what differs, of the given fields only (contract-2 11)', () => {
  const wanted = resources({
    models: { a: { price: { unit: 'tokens', input: '1.50' } }, b: {} },
    channels: { main: { weight: 2, options: { rpm: 5 } } },
  });
  const current = resources({
    models: { a: { price: { unit: 'tokens', input: '1.5' }, owned_by: 'x' } },
    channels: { main: { weight: 1, options: { rpm: 5, tpm: 1 } }, other: {} },
  });
  assert.deepEqual(planConfig({ wanted, current }), [
    { kind: 'models', name: 'b', action: 'create', fields: {} },
    { kind: 'channels', name: 'main', action: 'update', fields: { weight: { from: 1, to: 2 } } },
  ]);
});

test('what the file made and no longer names is removed only where that is asked for (contract-2 11)', () => {
  const current = resources({ models: { a: {}, foreign: {} }, tokens: { t: {} } });
  const before = resources({ models: { a: {}, gone: {} }, tokens: { t: {} } });
  assert.deepEqual(planConfig({ wanted: emptyResources(), current }), []);
  assert.deepEqual(
    planConfig({ wanted: emptyResources(), current, before }).map(({ kind, name, action }) => [kind, name, action]),
    [
      ['tokens', 't', 'remove'],
      ['models', 'a', 'remove'],
    ],
  );
});

test('groups stay, rules are reset, and what is disabled or as by default is no change (contract-2 11)', () => {
  const before = resources({
    groups: { gold: {} },
    accounts: { gone: {}, there: {} },
    alert_rules: { store_slow: {}, model_retires: {} },
  });
  const current = resources({
    groups: { gold: {} },
    accounts: { gone: { status: 'disabled' }, there: { status: 'active' } },
    alert_rules: {
      store_slow: { rule: 'store_slow', enabled: false, thresholds: defaultThresholds('store_slow') },
      model_retires: { rule: 'model_retires', enabled: true, thresholds: defaultThresholds('model_retires') },
    },
  });
  assert.deepEqual(
    planConfig({ wanted: emptyResources(), current, before }).map(({ kind, name, action }) => [kind, name, action]),
    [
      ['alert_rules', 'store_slow', 'reset'],
      ['accounts', 'there', 'remove'],
      ['groups', 'gold', 'stay'],
    ],
  );
});
