import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Alert } from '#contract/alerts.ts';
import type { Channel } from '#contract/channels.ts';
import type { Model } from '#contract/models.ts';
import type { LoggedRequest } from '#contract/requests.ts';
import { findConcerns } from './attention.ts';

const channel = (id: string, more: Partial<Channel> = {}) =>
  ({ id, name: id, status: 'enabled', models: {}, health: { state: 'healthy' }, ...more }) as Channel;
const alert = (id: string, more: Partial<Alert> = {}) =>
  ({ id, severity: 'warning', subject_kind: 'channel', subject: 'a', title: id, detail: '', ...more }) as Alert;
const quiet = { alerts: [], channels: [], models: [], boundedRequests: [], unpricedRequests: [] };

function concerns(more: Partial<Parameters<typeof findConcerns>[0]>): string[] {
  return findConcerns({ ...quiet, ...more }).map(({ id, grave }) => `${id}${grave ? '!' : ''}`);
}

test('nothing is said when all is well', () => {
  assert.deepEqual(concerns({ channels: [channel('a')] }), []);
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
  const model = (id: string, more: Partial<Model> = {}) =>
    ({ id, enabled: true, price: { unit: 'request', amount: '1' }, ...more }) as Model;
  const channels = [channel('a', { models: { x: 'x' } }), channel('b', { models: { y: 'y' }, status: 'disabled' })];
  assert.deepEqual(concerns({ models: [model('x')], channels }), []);
  assert.deepEqual(concerns({ models: [model('y'), model('z', { price: null })], channels }), ['lonely']);
});

test('usage that cannot be true is one line for each channel that reported it (promise M-10)', () => {
  const bounded = (id: string, channel_id: string | null) => ({ id, channel_id }) as LoggedRequest;
  const boundedRequests = [bounded('1', 'a'), bounded('2', 'b'), bounded('3', 'a'), bounded('4', null)];
  assert.deepEqual(concerns({ boundedRequests, channels: [channel('a'), channel('b')] }), [
    'bounded a',
    'bounded b',
    'bounded ',
  ]);
});

test('what a model used without a price is listed once for each model, with its uses (contract-2 9)', () => {
  const request = (model: string, arithmetic: string) => ({ id: 'req_1', model, arithmetic }) as LoggedRequest;
  const unpricedRequests = [
    request('m', '(1 input x 2 + 1 output x 3) / 1000000; unpriced: 2 web_search, tier priority'),
    request('m', '(1 input x 2 + 1 output x 3) / 1000000; unpriced: 3 web_search'),
    request('n', '0.01 per request; unpriced: 1 web_fetch'),
  ];
  assert.deepEqual(
    findConcerns({ ...quiet, unpricedRequests }).map(({ title }) => title),
    ['m used what has no price: 5 x web_search, 1 x tier priority', 'n used what has no price: 1 x web_fetch'],
  );
});
