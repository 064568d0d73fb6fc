import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ChannelHealth } from '#contract/channel-health.ts';
import type { ChannelSettings } from '#contract/channels.ts';
import { bucketOf } from '../../routing/call-record.ts';
import type { ChannelMemoryRow } from '../../store/queries/channel-memory.ts';
import { fitness } from './channel-health.ts';

const NOW = 1_800_000_000;
const channel = { id: 'c', status: 'enabled', keys: [{ id: 'k', hint: '...' }] } as ChannelSettings;
const live: ChannelHealth = {
  channel_id: 'c',
  breaker: 'closed',
  retry_ms: 0,
  running: 0,
  accounts_out: 0,
  keys: [{ id: 'k', state: 'ready', reason: null }],
};
const known = { memory: undefined, calls: [], keys: [], live, now: NOW };
const memory = (row: Partial<ChannelMemoryRow>): ChannelMemoryRow => ({
  channel_id: 'c',
  success_at: null,
  error_at: null,
  error_class: null,
  error_status: null,
  error_message: null,
  test_at: null,
  test_ok: null,
  test_status: null,
  test_ms: null,
  test_model: null,
  test_message: null,
  ...row,
});
const stateOf = (row: Partial<ChannelMemoryRow>, seen = live): string =>
  fitness(channel, { ...known, memory: memory(row), live: seen }).state;

describe('the state of a channel is the last that is known of it, also after a restart (contract 2)', () => {
  test('nothing known is not healthy', () => {
    assert.equal(fitness(channel, known).state, 'unknown');
    assert.equal(fitness({ ...channel, status: 'disabled' }, known).state, 'off');
  });

  test('an error or a failed test after the last answer is failing', () => {
    assert.equal(stateOf({ error_at: NOW - 9_000, error_class: 'overloaded' }), 'failing');
    assert.equal(stateOf({ success_at: NOW - 9_000, error_at: NOW - 8_000 }), 'failing');
    assert.equal(stateOf({ success_at: NOW - 10, test_at: NOW, test_ok: 0 }), 'failing');
    assert.equal(stateOf({ success_at: NOW - 8_000, error_at: NOW - 9_000 }), 'healthy');
    assert.equal(stateOf({ error_at: NOW - 9_000, test_at: NOW - 10, test_ok: 1 }), 'healthy');
  });

  test('one error beside answers is not', () => {
    assert.equal(stateOf({ success_at: NOW - 5, error_at: NOW }), 'healthy');
  });

  test('an open breaker or no key that works is down, whatever was before', () => {
    assert.equal(stateOf({ success_at: NOW }, { ...live, breaker: 'open' }), 'down');
    const keys = [{ id: 'k', state: 'rejected' as const, reason: 'no' }];
    assert.equal(stateOf({ success_at: NOW }, { ...live, keys }), 'down');
  });
});

test('a key that the store says is out is out, with since, until and reason, whichever process is asked', () => {
  const row = {
    channel_id: 'c',
    key_id: 'k',
    version: 1,
    out_since: NOW - 10,
    out_until: NOW + 290,
    reason: '401: no.',
    probe_at: NOW - 10,
    probe_ok: 0,
    probe_message: 'Check the keys.',
  } as const;
  const { state, keys } = fitness(channel, { ...known, keys: [row] });
  assert.equal(state, 'down');
  assert.deepEqual(keys, [
    {
      id: 'k',
      state: 'rejected',
      reason: '401: no.',
      since: NOW - 10,
      until: NOW + 290,
      last_probe: { ok: false, message: 'Check the keys.', at: NOW - 10 },
    },
  ]);
  assert.equal(fitness(channel, { ...known, keys: [{ ...row, out_until: NOW }] }).keys[0]?.state, 'ready');
});

test('the success rate and the p95 are those of all calls', () => {
  const row = (bucket: number, calls: number) => ({ channel_id: 'c', hour: 0, bucket, calls });
  const calls = [row(-1, 10), row(bucketOf(2_000), 6), row(bucketOf(100), 84)];
  const { success_rate, p95_ms, calls: count } = fitness(channel, { ...known, calls });
  assert.deepEqual([count, success_rate], [100, 0.9]);
  assert.ok((p95_ms ?? 0) >= 2_000 && (p95_ms ?? 0) <= 2_400, `${p95_ms}`);
});
