import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Account } from '#contract/accounts.ts';
import type { ChannelHealth } from '#contract/channel-health.ts';
import type { Channel } from '#contract/channels.ts';
import type { Model } from '#contract/models.ts';
import type { LoggedRequest } from '#contract/requests.ts';
import type { Task } from '#contract/tasks.ts';
import { findConcerns } from './attention.ts';

const channel = (id: string, more: Partial<Channel> = {}) =>
  ({ id, name: id, status: 'enabled', models: {}, health: { state: 'healthy' }, ...more }) as Channel;
const account = (id: string, balance: string) => ({ id, name: id, status: 'active', balance }) as Account;
const healthy: Omit<ChannelHealth, 'channel_id'> = {
  breaker: 'closed',
  retry_ms: 0,
  running: 0,
  accounts_out: 0,
  keys: [],
};

function concerns(more: Partial<Parameters<typeof findConcerns>[0]>): string[] {
  const quiet = { channels: [], health: new Map(), accounts: [], spentToday: new Map(), models: [], stuckTasks: [] };
  const none = { boundedRequests: [], unpricedRequests: [] };
  return findConcerns({ ...quiet, ...none, ...more }).map(({ id, grave }) => `${id}${grave ? '!' : ''}`);
}

test('nothing is said when all is well', () => {
  const health = new Map([['a', { channel_id: 'a', ...healthy }]]);
  assert.deepEqual(concerns({ channels: [channel('a')], health, accounts: [account('rich', '100')] }), []);
});

test('open breakers and rejected keys of enabled channels are shown, the grave ones first', () => {
  const keys = [
    { id: '1', state: 'rejected' as const, reason: 'no' },
    { id: '2', state: 'ready' as const, reason: null },
  ];
  const health = new Map<string, ChannelHealth>([
    ['a', { channel_id: 'a', ...healthy, keys }],
    ['b', { channel_id: 'b', ...healthy, breaker: 'open' }],
    ['c', { channel_id: 'c', ...healthy, breaker: 'open' }],
    ['d', { channel_id: 'd', ...healthy, keys: keys.slice(0, 1) }],
  ]);
  const channels = [channel('a'), channel('b'), channel('c', { status: 'disabled' }), channel('d')];
  assert.deepEqual(concerns({ channels, health }), ['breaker b!', 'keys d!', 'keys a']);
});

test('a channel whose last call or test failed is listed, with the error, also when no breaker is open', () => {
  const failing = { state: 'failing', last_error: { message: '500: no.' } } as Channel['health'];
  const health = new Map([['a', { channel_id: 'a', ...healthy }]]);
  assert.deepEqual(concerns({ channels: [channel('a', { health: failing })], health }), ['failing a!']);
});

test('a balance is low when it does not last three days like the last one', () => {
  const accounts = [account('empty', '-1'), account('low', '2'), account('fine', '3'), account('idle', '0')];
  const spentToday = new Map([
    ['empty', 1],
    ['low', 1],
    ['fine', 1],
  ]);
  assert.deepEqual(concerns({ accounts, spentToday }), ['empty empty!', 'low low']);
});

test('a model for sale that no enabled channel carries is shown', () => {
  const model = (id: string, more: Partial<Model> = {}) =>
    ({ id, enabled: true, price: { unit: 'request', amount: '1' }, ...more }) as Model;
  const channels = [channel('a', { models: { x: 'x' } }), channel('b', { models: { y: 'y' }, status: 'disabled' })];
  assert.deepEqual(concerns({ models: [model('x')], channels }), []);
  assert.deepEqual(concerns({ models: [model('y'), model('z', { price: null })], channels }), ['lonely']);
});

test('a stuck video leads to itself, several lead to their list', () => {
  const task = (id: string) => ({ id, model: 'm', stuck: 'late' }) as Task;
  assert.deepEqual(concerns({ stuckTasks: [task('a')] }), ['stuck a!']);
  assert.deepEqual(concerns({ stuckTasks: [task('a'), task('b')] }), ['stuck!']);
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
  const quiet = { channels: [], health: new Map(), accounts: [], spentToday: new Map(), models: [], stuckTasks: [] };
  assert.deepEqual(
    findConcerns({ ...quiet, boundedRequests: [], unpricedRequests }).map(({ title }) => title),
    ['m used what has no price: 5 x web_search, 1 x tier priority', 'n used what has no price: 1 x web_fetch'],
  );
});
