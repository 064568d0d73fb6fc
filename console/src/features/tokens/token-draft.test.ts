import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tokenCreate, tokenPatch } from '#contract/tokens.ts';
import { bodyOf, draftOf, newDraft } from './token-draft.ts';

test('a fresh draft with a name is a token without any scope', () => {
  const body = tokenCreate.parse(bodyOf({ ...newDraft('acc_1'), name: ' reports ' }));
  assert.equal(body.name, 'reports');
  assert.deepEqual([body.models, body.group, body.ip_allow, body.quota, body.expires_at], [null, null, [], null, null]);
  assert.deepEqual(
    [body.quota_period, body.options],
    [null, { fit_balance: false, strict: false, store_bodies: 'off' }],
  );
  assert.deepEqual(body.rate, { rpm: null, tpm: null, concurrency: null });
});

test('every scope comes back from a token as it went in', () => {
  const sent = {
    name: 'a',
    account_id: 'acc_1',
    mode: 'test' as const,
    models: ['sandbox-*'],
    group: 'gold',
    ip_allow: ['10.0.0.0/8', '2001:db8::1'],
    origins: ['https://app.example'],
    quota: '0.000000001',
    quota_period: 'week' as const,
    options: { fit_balance: true, strict: false, store_bodies: 'errors' as const },
    rate: { rpm: 60, tpm: null, concurrency: 4 },
    expires_at: 1_760_000_041,
  };
  const token = {
    ...sent,
    id: 'tok_1',
    status: 'enabled' as const,
    period_start: 0,
    period_used: '0',
    used: '0',
    held: '0',
    key_hint: 'sk-…',
    created_at: 1,
    etag: 'e',
  };
  const body = bodyOf(draftOf(token));
  assert.deepEqual(body, sent);
  assert.ok(tokenPatch.safeParse(body).success);
  assert.equal(bodyOf({ ...draftOf(token), expires: '' }).expires_at, null);
});
