import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hintOf } from '../../../server/src/shared/sealed-headers.ts';
import { isSameChannel } from './same-channel.ts';

const KEY = 'sk-a-long-key-of-an-upstream';
const planned = { name: 'main', provider: 'openai', base_url: 'https://a.example/v1', keys: [KEY], models: { m: 'm' } };
const there = (more: object = {}) => ({
  provider: 'openai',
  base_url: 'https://a.example/v1',
  keys: [{ id: 'key_1', hint: hintOf(KEY), status: 'enabled' as const }],
  models: { m: 'm', other: 'other' },
  sandbox: false,
  ...more,
});

test('a channel that an import made is known again after a change of its address, keys or models (contract-2 11)', () => {
  const other = [{ id: 'key_2', hint: 'sk-...9999' }];
  assert.ok(isSameChannel(there(), planned));
  assert.ok(isSameChannel(there({ base_url: 'https://b.example/v1' }), planned));
  assert.ok(isSameChannel(there({ keys: other }), planned));
  assert.ok(isSameChannel(there({ models: {} }), planned));
  assert.ok(isSameChannel(there({ keys: [], models: {} }), { ...planned, keys: ['short'], models: {} }));
});

test('a channel of somebody else with the same name is another one (contract-2 11)', () => {
  assert.ok(!isSameChannel(there({ keys: [{ id: 'key_2', hint: 'sk-...9999' }], models: { x: 'x' } }), planned));
  assert.ok(!isSameChannel(there({ provider: 'anthropic' }), planned));
  assert.ok(!isSameChannel(there({ sandbox: true }), planned));
  // Of short keys the hint is the same.
  const short = there({ base_url: 'https://b.example/v1', keys: [{ id: 'key_1', hint: '...' }] });
  assert.ok(!isSameChannel({ ...short, models: { x: 'x' } }, { ...planned, keys: ['short'] }));
});
