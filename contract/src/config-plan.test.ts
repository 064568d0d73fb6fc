import assert from 'node:assert/strict';
import { test } from 'node:test';
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
