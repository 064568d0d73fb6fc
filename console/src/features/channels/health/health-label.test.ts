import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChannelFitness, ChannelHealth } from '#contract/channel-health.ts';
import type { Channel } from '#contract/channels.ts';
import { healthLabel } from './health-label.ts';

const channel = (state: ChannelFitness['state'], status = 'enabled'): Channel =>
  ({ id: 'c', status, keys: [], health: { state, keys: [] } }) as unknown as Channel;
const live: ChannelHealth = {
  channel_id: 'c',
  breaker: 'closed',
  retry_ms: 0,
  running: 0,
  accounts_out: 0,
  keys: [{ id: 'k', state: 'ready', reason: null }],
};
const rejected = { id: 'k', state: 'rejected', reason: 'no' } as const;

test('a channel that does not work never looks healthy (contract 2)', () => {
  const dead: [Channel, ChannelHealth | undefined][] = [
    [channel('failing'), live],
    [channel('down'), live],
    [channel('failing'), undefined],
    [channel('healthy'), { ...live, breaker: 'open' }],
    [channel('healthy'), { ...live, keys: [rejected] }],
  ];
  for (const [one, seen] of dead) assert.equal(healthLabel(one, seen).color, 'red', JSON.stringify([one, seen]));
});

test('a channel nobody has called is neither healthy nor broken', () => {
  assert.deepEqual(healthLabel(channel('unknown'), live), { color: 'gray', text: 'no answer yet' });
  assert.deepEqual(healthLabel(channel('healthy', 'disabled'), live), { color: 'gray', text: 'off' });
});

test('what is only partly broken is yellow, and what was answered last is green', () => {
  const keys = [rejected, ...live.keys];
  assert.deepEqual(healthLabel(channel('healthy'), { ...live, keys }), { color: 'yellow', text: '1 key rejected' });
  const out = { ...live, accounts_out: 2 };
  assert.deepEqual(healthLabel(channel('healthy'), out), { color: 'yellow', text: 'fails for 2 accounts' });
  assert.equal(healthLabel(channel('healthy'), { ...live, breaker: 'half-open' }).color, 'yellow');
  assert.deepEqual(healthLabel(channel('healthy'), live), { color: 'green', text: 'healthy' });
});

test('a channel whose recent calls fail is not healthy because one was answered (issue 34)', () => {
  const word = (failed: number, calls: number) => healthLabel(channel('healthy'), live, { failed, calls });
  assert.deepEqual(word(9, 10), { color: 'red', text: '90 % fail' });
  assert.deepEqual(word(2, 10), { color: 'yellow', text: '20 % fail' });
  assert.equal(word(1, 100).color, 'green');
  assert.equal(word(2, 3).color, 'green', 'too few to tell');
});

test('a disabled key counts neither for nor against, and without any other the channel is red (issue 34)', () => {
  const keys = (...states: ['enabled' | 'disabled', 'enabled' | 'disabled']) =>
    states.map((status, index) => ({ id: `k${index}`, hint: '', status }));
  const one = { ...channel('healthy'), keys: keys('disabled', 'enabled') };
  assert.equal(healthLabel(one, { ...live, keys: [{ id: 'k1', state: 'ready', reason: null }] }).color, 'green');
  const rejectedToo = { ...live, keys: [{ ...rejected, id: 'k1' }] };
  assert.deepEqual(healthLabel(one, rejectedToo), { color: 'red', text: 'no key works' });
  const none = { ...channel('healthy'), keys: keys('disabled', 'disabled') };
  assert.deepEqual(healthLabel(none, live), { color: 'red', text: 'all keys are disabled' });
});
