import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Alert } from '#contract/alerts.ts';
import type { Attention } from '#contract/attention.ts';
import { findConcerns } from './attention.ts';

const alert = (id: string, more: Partial<Alert> = {}) =>
  ({ id, severity: 'warning', subject_kind: 'channel', subject: 'a', title: id, detail: '', ...more }) as Alert;
const quiet: Attention = { alerts: [], bounded: [], unpriced: [], unserved_models: [] };

function concerns(more: Partial<Attention>): string[] {
  return findConcerns({ ...quiet, ...more }).map(({ id, grave }) => `${id}${grave ? '!' : ''}`);
}

test('nothing is said when all is well', () => {
  assert.deepEqual(concerns({}), []);
});

test('open alerts are shown, the critical ones first, and lead to what they are about (contract-2 10)', () => {
  const alerts = [
    alert('key', { subject: 'a/k1' }),
    alert('down', { severity: 'critical' }),
    alert('low', { subject_kind: 'account', subject: 'acc' }),
    alert('soon', { subject_kind: 'model' }),
    alert('stuck', { subject_kind: 'tasks' }),
    alert('slow', { subject_kind: 'store', severity: 'critical' }),
  ];
  assert.deepEqual(concerns({ alerts }), ['down!', 'slow!', 'key', 'low', 'soon', 'stuck']);
  assert.deepEqual(
    findConcerns({ ...quiet, alerts }).map(({ page }) => page),
    [
      { to: '/channels/$id', id: 'a' },
      { to: '/settings' },
      { to: '/channels/$id', id: 'a' },
      { to: '/accounts/$id', id: 'acc' },
      { to: '/models' },
      { to: '/tasks' },
    ],
  );
});

test('a model for sale that no enabled channel carries is shown', () => {
  assert.deepEqual(concerns({ unserved_models: ['y'] }), ['lonely']);
  const [several] = findConcerns({ ...quiet, unserved_models: ['y', 'z', 'a'] });
  assert.equal(several?.title, 'No enabled channel carries y and 2 more');
});

test('usage that cannot be true is one line for each channel that reported it (promise M-10)', () => {
  const bounded = [
    { channel_id: 'a', channel: 'one', requests: 2, request_id: 'req_1' },
    { channel_id: null, channel: null, requests: 1, request_id: 'req_2' },
  ];
  assert.deepEqual(concerns({ bounded }), ['bounded a', 'bounded ']);
  assert.deepEqual(
    findConcerns({ ...quiet, bounded }).map(({ title }) => title),
    [
      'one reported usage that cannot be true, 2 times in a day',
      'A removed channel reported usage that cannot be true, once in a day',
    ],
  );
});

test('what a model used without a price is listed once for each model, with its uses (contract-2 9)', () => {
  const unpriced = [{ model: 'm', uses: { web_search: 5, 'tier priority': 1 }, request_id: 'req_1' }];
  assert.deepEqual(
    findConcerns({ ...quiet, unpriced }).map(({ title }) => title),
    ['m used what has no price: 5 x web_search, 1 x tier priority'],
  );
});
