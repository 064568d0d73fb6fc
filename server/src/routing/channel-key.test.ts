// Who is kept from a key that the upstream refuses or limits (promise B-01).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ChannelKey, KEY_OUT_MS, PROBE_PAUSE_MS } from './channel-key.ts';

const NOW = 1_800_000_000_000;
const make = (): ChannelKey => new ChannelKey('key_1', 'secret');

describe('refusals', () => {
  test('of one account keep that account from it, however many they are', () => {
    const key = make();
    for (let count = 0; count < 100; count++) assert.equal(key.refuse('attacker', NOW + count, 'no'), false);
    assert.equal(key.isUsable(NOW + 100, 'attacker'), false);
    assert.equal(key.isUsable(NOW + 100, 'victim'), true);
    assert.equal(key.state(NOW + 100), 'suspected');
    assert.equal(key.isUsable(NOW + 100 + KEY_OUT_MS, 'attacker'), true);
  });

  test('of a second account take it out for everybody, with the reason', () => {
    const key = make();
    key.refuse('first', NOW, 'The key is not valid.');
    assert.equal(key.refuse('second', NOW + 1, 'The key is not valid.'), true);
    assert.equal(key.isUsable(NOW + 2, 'third'), false);
    assert.equal(key.state(NOW + 2), 'rejected');
    assert.match(key.out?.reason ?? '', /not valid.*several accounts/);
    assert.equal(key.isUsable(NOW + 1 + KEY_OUT_MS, 'third'), true);
  });

  test('of a second account count for nothing when somebody was answered in between, or a probe just was', () => {
    const answered = make();
    answered.refuse('first', NOW, 'no');
    answered.succeed('m');
    assert.equal(answered.refuse('second', NOW + 1, 'no'), false);

    const probed = make();
    probed.lastProbe = { at: NOW, ok: true, message: '' };
    probed.refuse('first', NOW + 1, 'no');
    assert.equal(probed.refuse('second', NOW + 2, 'no'), false);
    assert.equal(probed.refuse('third', NOW + PROBE_PAUSE_MS, 'no'), true);
  });

  test('a probe that is answered brings it back to everybody', () => {
    const key = make();
    key.refuse('first', NOW, 'no');
    key.refuse('second', NOW, 'no');
    key.bringBack();
    for (const account of ['first', 'second', 'third']) assert.equal(key.isUsable(NOW, account), true);
    assert.equal(key.state(NOW), 'ready');
  });

  test('a key that stays out keeps the time since when', () => {
    const key = make();
    key.takeOut(NOW, 'no');
    key.takeOut(NOW + 1_000, 'no');
    assert.deepEqual([key.out?.since, key.out?.until], [NOW, NOW + 1_000 + KEY_OUT_MS]);
  });
});

describe('limits', () => {
  const rest = { now: NOW, until: NOW + 60_000, isShared: true };

  test('of one account rest the key for that account; for everybody when a second one is limited too', () => {
    const key = make();
    key.limit('attacker', rest);
    assert.equal(key.isUsable(NOW, 'attacker'), false);
    assert.equal(key.isUsable(NOW, 'victim'), true);
    assert.equal(key.state(NOW), 'cooling');
    key.limit('victim', { ...rest, until: NOW + 5_000 });
    assert.equal(key.isUsable(NOW, 'third'), false);
    assert.equal(key.isUsable(NOW + 5_000, 'third'), true, 'as long as the second was asked to wait');
  });

  test('one request limits one key for everybody at most', () => {
    const key = make();
    key.limit('attacker', rest);
    key.limit('accomplice', { ...rest, isShared: false });
    assert.equal(key.isUsable(NOW, 'victim'), true);
  });
});
