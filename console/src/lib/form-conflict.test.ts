import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differences, inWords } from './form-conflict.ts';

test('only fields that the form would change are named, with what is saved now and what one typed (contract-2 10)', () => {
  const there = { name: 'a', budget: '20', rate: { rpm: 5, tpm: null }, models: null, etag: 'x' };
  const mine = { name: 'a', budget: '10', rate: { tpm: null, rpm: 5 }, models: ['gpt-*'], unknown: 1 };
  assert.deepEqual(differences(there, mine), [
    { field: 'budget', theirs: '20', mine: '10' },
    { field: 'models', theirs: 'none', mine: 'gpt-*' },
  ]);
  assert.deepEqual(differences(undefined, mine), []);
});

test('values are shown as words, not as JSON', () => {
  assert.equal(inWords({ rpm: 600, tpm: null }), 'rpm 600');
  assert.equal(inWords([]), 'none');
  assert.equal(inWords(false), 'false');
});
