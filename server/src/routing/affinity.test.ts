import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Affinity, anyChannelKey, type ChannelKeyId } from './affinity.ts';
import { Router } from './candidates.ts';
import type { Route } from './route.ts';
import { catalogue, facts, key, secretBox, REQUEST } from './testing/offered.ts';

const makeRouter = (): Router => new Router({ clock: { now: () => 1_800_000_000_000 }, secretBox, random: () => 0 });

/** Every candidate, each of which fails so that another key is asked. */
function channelKeys(route: Route): string[] {
  const asked: string[] = [];
  for (let one = route.next(); one !== undefined; one = route.next()) {
    asked.push(`${one.channel.facts.id}/${one.key.id}`);
    route.fail('unauthorised', undefined);
    route.finish();
  }
  return asked;
}

describe('a route to the channel key under which something is kept', () => {
  const keys = ['k1', 'k2', 'k3'].map(key);
  const offered = catalogue(facts('a', { keys, priority: 9 }), facts('b', { keys }), facts('off', { enabled: false }));
  const at = (channelId: string, keyId: string): ChannelKeyId => ({ channelId, keyId });

  test('asks this channel with this key, whatever others there are and which key comes next', () => {
    const router = makeRouter();
    for (const keyId of ['k2', 'k1', 'k3', 'k3']) {
      const { channel, key: taken } = router.routeTo(offered, REQUEST, at('b', keyId)).next() ?? {};
      assert.deepEqual([channel?.facts.id, taken?.id], ['b', keyId]);
    }
    const route = router.routeTo(offered, REQUEST, at('b', 'k3'));
    assert.deepEqual(channelKeys(route), ['b/k3'], 'and nobody else when it fails');
    assert.equal(route.exhausted().code, 'upstream_error');
    assert.deepEqual(channelKeys(router.routeTo(offered, REQUEST, at('b', 'k3'))), [], 'nor while it is out');
  });

  test('leaves no call open in the keys that it passes by', () => {
    const router = makeRouter();
    const route = router.routeTo(offered, REQUEST, at('b', 'k3'));
    assert.equal(route.next()?.key.id, 'k3');
    const channel = router.channels(offered)[1];
    assert.equal(channel?.active, 1);
    route.succeed();
    route.finish();
    assert.deepEqual([channel?.active, channel?.breaker.state], [0, 'closed']);
  });

  test('asks any key of the channel when its own was taken out, most likely renewed', () => {
    assert.deepEqual(channelKeys(makeRouter().routeTo(offered, REQUEST, at('b', 'gone'))), ['b/k1', 'b/k2', 'b/k3']);
  });

  test('asks no disabled key, but where it keeps what is nowhere else (issue 34)', () => {
    const [first, ...others] = keys;
    const router = makeRouter();
    const some = catalogue(
      facts('b', { keys: [...(first === undefined ? [] : [{ ...first, isDisabled: true }]), ...others] }),
    );
    assert.deepEqual(channelKeys(router.route(some, REQUEST)), ['b/k2', 'b/k3']);
    assert.deepEqual(channelKeys(makeRouter().routeTo(some, REQUEST, at('b', 'k1'))), []);
    assert.deepEqual(channelKeys(makeRouter().routeTo(some, undefined, at('b', 'k1'))), ['b/k1']);
    const [running] = router.channels(some);
    assert.deepEqual(
      running?.health(0).keys.map(({ id }) => id),
      ['k2', 'k3'],
    );
  });

  test('asks a disabled channel only where no request is to be served: what it keeps is nowhere else', () => {
    const router = makeRouter();
    assert.deepEqual(channelKeys(router.routeTo(offered, undefined, at('off', 'off-1'))), ['off/off-1']);
    assert.deepEqual(channelKeys(router.routeTo(offered, REQUEST, at('off', 'off-1'))), []);
  });

  test('says that the provider is gone when its channel is, or is disabled', () => {
    const router = makeRouter();
    for (const [request, channelId] of [
      [undefined, 'deleted'],
      [REQUEST, 'off'],
    ] as const) {
      const route = router.routeTo(offered, request, at(channelId, 'k1'));
      assert.deepEqual([route.hasNoUsableChannel, route.next()], [true, undefined]);
      const { code, message, details } = route.exhausted();
      assert.deepEqual(
        [code, message, details.retryAfter],
        ['no_channel_available', 'The provider that keeps this is not available.', 60],
      );
    }
  });

  test('refuses a request when the channel is there, but does not serve it', () => {
    const router = makeRouter();
    const affinity: Affinity = { only: at('b', 'k1'), taken: undefined, field: 'previous_response_id' };
    for (const request of [
      { ...REQUEST, model: 'other' },
      { ...REQUEST, serves: () => false },
    ]) {
      const route = router.route(offered, request, affinity);
      assert.deepEqual([route.hasNoUsableChannel, route.isUnsupported, route.next()], [true, false, undefined]);
      const { code, message, details } = route.exhausted();
      assert.deepEqual([code, details.param], ['invalid_request', 'previous_response_id']);
      assert.ok(message.includes(`does not serve the model "${request.model}"`), message);
    }
  });
});

describe('a route with affinity', () => {
  const keys = ['k1', 'k2'].map(key);
  const offered = catalogue(facts('a', { keys, priority: 9 }), facts('b', { keys }));

  test('notes the channel key of each candidate, the last of them staying', () => {
    const affinity = anyChannelKey();
    const route = makeRouter().route(offered, REQUEST, affinity);
    assert.equal(affinity.taken, undefined);
    const taken: (ChannelKeyId | undefined)[] = [];
    while (route.next() !== undefined) {
      taken.push(affinity.taken);
      route.fail('unreachable', undefined);
      route.finish();
    }
    assert.deepEqual(taken, [
      { channelId: 'a', keyId: 'k1' },
      { channelId: 'b', keyId: 'k1' },
    ]);
    assert.deepEqual(affinity.taken, { channelId: 'b', keyId: 'k1' });
  });

  test('keeps to the only channel key that may be asked, and notes nothing where that cannot be asked', () => {
    const router = makeRouter();
    const affinity: Affinity = { only: { channelId: 'b', keyId: 'k2' }, taken: undefined };
    assert.deepEqual(channelKeys(router.route(offered, REQUEST, affinity)), ['b/k2']);
    assert.deepEqual(affinity.taken, affinity.only);
    const lost: Affinity = { only: { channelId: 'deleted', keyId: 'k2' }, taken: undefined };
    assert.deepEqual(channelKeys(router.route(offered, REQUEST, lost)), []);
    assert.equal(lost.taken, undefined);
  });

  test('shares its channels with routes without affinity, so that a failure counts for all', () => {
    const router = makeRouter();
    const [channel] = router.channels(offered);
    assert.equal(router.route(offered, REQUEST, anyChannelKey()).next()?.channel, channel);
    while (channel?.breaker.state === 'closed') channel.breaker.fail(channel.breaker.begin(''));
    assert.equal(router.route(offered, REQUEST, anyChannelKey()).next()?.channel.facts.id, 'b');
  });
});
