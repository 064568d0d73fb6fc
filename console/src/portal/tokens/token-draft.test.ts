import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PortalToken, portalTokenCreate, portalTokenPatch } from '#contract/portal.ts';
import { bodyOf, draftOf } from './token-draft.ts';

const token = {
  id: 'tok_1',
  name: 'reports',
  models: ['orion-*'],
  ip_allow: ['10.0.0.0/8'],
  origins: [],
  quota: '5',
  quota_period: 'month',
  rate: { rpm: 60, tpm: null, concurrency: null },
  expires_at: 1_900_000_017,
  mode: 'live',
} as unknown as PortalToken;

test('a new token as typed is what the API takes, without what is the operator’s (contract-2 10)', () => {
  const body = bodyOf({ ...draftOf(undefined), name: ' mine ', quota: '2.5', quotaPeriod: 'day' }, undefined);
  const parsed = portalTokenCreate.parse(body);
  assert.deepEqual([parsed.name, parsed.mode, parsed.quota, parsed.quota_period], ['mine', 'live', '2.5', 'day']);
  assert.equal(body.models, null);
});

test('a token that is saved unchanged stays as it was, to the second', () => {
  const body = bodyOf(draftOf(token), token);
  portalTokenPatch.parse(body);
  const { name, models, ip_allow, origins, quota, quota_period, rate, expires_at } = token;
  assert.deepEqual(body, { name, models, ip_allow, origins, quota, quota_period, rate, expires_at });
  assert.equal(bodyOf({ ...draftOf(token), expires: '', quota: '' }, token).expires_at, null);
  assert.equal(bodyOf({ ...draftOf(token), quota: ' ' }, token).quota_period, null, 'no quota, no period');
});
