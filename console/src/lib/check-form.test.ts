import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tokenCreate } from '#contract/tokens.ts';
import { ApiError } from './api-error.ts';
import { checkForm, errorAt, errorsOf } from './check-form.ts';

test('what the contract refuses is said beside its field', () => {
  const errors = checkForm(tokenCreate, { account_id: 'acc_1', name: '', ip_allow: ['10.0.0.0/8', '10.0.0.300'] });
  assert.equal(errorAt(errors, 'name'), 'This is needed.');
  assert.match(errorAt(errors, 'ip_allow') ?? '', /^This must be an IPv4 or IPv6 address/);
  assert.equal(errorAt(errors, 'quota'), undefined);
  assert.equal(checkForm(tokenCreate, { account_id: 'acc_1', name: 'a' }), undefined);
});

test('what the API refuses goes to the field it names', () => {
  const error = new ApiError('"name" is taken.', { status: 409, code: 'conflict', param: 'name', requestId: null });
  assert.equal(errorAt(errorsOf(error), 'name'), '"name" is taken.');
  assert.equal(errorsOf(new Error('broken'))[''], 'broken');
});
