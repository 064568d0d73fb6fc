import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChannelFacts } from '../catalogue/catalogue.ts';
import { ChannelKey } from './channel-key.ts';
import { Channel } from './channel.ts';

function makeChannel(now: () => number, ...secrets: string[]): Channel {
  const clock = { now };
  const keys = secrets.map((secret, index) => new ChannelKey(`key_${index}`, secret));
  return new Channel({ id: 'chn_1', options: {} } as ChannelFacts, keys, clock);
}

test('health tells an open breaker, when it is tried again, and each key that does not serve', () => {
  let now = 1_000_000;
  const channel = makeChannel(() => now, 'good', 'refused', 'limited');
  assert.deepEqual(channel.health(now), {
    channel_id: 'chn_1',
    breaker: 'closed',
    retry_ms: 0,
    running: 0,
    accounts_out: 0,
    keys: ['key_0', 'key_1', 'key_2'].map((id) => ({ id, state: 'ready', reason: null })),
  });
  const [, refused, limited] = channel.keys;
  refused?.takeOut(now, 'not valid');
  limited?.limit('acc_1', { now, until: now + 100, isShared: true });
  for (let count = 0; count < 5; count++) channel.breaker.fail(channel.breaker.begin('acc_1'));
  const { breaker, retry_ms, accounts_out, keys } = channel.health(now);
  assert.deepEqual(
    [breaker, retry_ms, accounts_out, keys.map(({ state }) => state)],
    ['open', 5_000, 1, ['ready', 'rejected', 'cooling']],
  );
  assert.equal(keys[1]?.reason, 'not valid');
  now += 5_000;
  const later = channel.health(now);
  assert.deepEqual([later.breaker, later.keys[2]?.state], ['half-open', 'ready']);
});

test('an upstream that wants no key after all is reported like a rejected key', () => {
  const channel = new Channel({ id: 'chn_1', options: {} } as ChannelFacts, [new ChannelKey('', '')], {
    now: () => 0,
  });
  const [key] = channel.keys;
  key?.takeOut(0, 'no');
  assert.deepEqual(channel.health(0).keys, [{ id: 'none', state: 'rejected', reason: 'no' }]);
});
