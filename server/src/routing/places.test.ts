import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Place, Router, type Way } from './candidates.ts';
import type { Route } from './route.ts';
import { catalogue, facts, key, secretBox, WISH } from './testing/offered.ts';

const makeRouter = (): Router => new Router({ clock: { now: () => 1_800_000_000_000 }, secretBox, random: () => 0 });

/** Every candidate in turn, each of which fails so that another key is asked. */
function places(route: Route): string[] {
  const asked: string[] = [];
  for (let one = route.next(); one !== undefined; one = route.next()) {
    asked.push(`${one.channel.facts.id}/${one.key.id}`);
    route.fail('unauthorised', undefined);
    route.finish();
  }
  return asked;
}

describe('a route to the place where something is kept', () => {
  const keys = ['k1', 'k2', 'k3'].map(key);
  const offered = catalogue(facts('a', { keys, priority: 9 }), facts('b', { keys }), facts('off', { enabled: false }));
  const at = (channelId: string, keyId: string): Place => ({ channelId, keyId });

  test('asks this channel with this key, whatever others there are and whose turn it is', () => {
    const router = makeRouter();
    for (const keyId of ['k2', 'k1', 'k3', 'k3']) {
      const { channel, key: taken } = router.routeTo(offered, WISH, at('b', keyId)).next() ?? {};
      assert.deepEqual([channel?.facts.id, taken?.id], ['b', keyId]);
    }
    const route = router.routeTo(offered, WISH, at('b', 'k3'));
    assert.deepEqual(places(route), ['b/k3'], 'and nobody else when it fails');
    assert.equal(route.exhausted().code, 'upstream_error');
    assert.deepEqual(places(router.routeTo(offered, WISH, at('b', 'k3'))), [], 'nor while it is out');
  });

  test('leaves no call open in the keys that it passes by', () => {
    const router = makeRouter();
    const route = router.routeTo(offered, WISH, at('b', 'k3'));
    assert.equal(route.next()?.key.id, 'k3');
    const channel = router.channels(offered)[1];
    assert.equal(channel?.active, 1);
    route.succeed();
    route.finish();
    assert.deepEqual([channel?.active, channel?.breaker.state], [0, 'closed']);
  });

  test('asks any key of the channel when its own was taken out, most likely renewed', () => {
    assert.deepEqual(places(makeRouter().routeTo(offered, WISH, at('b', 'gone'))), ['b/k1', 'b/k2', 'b/k3']);
  });

  test('asks a disabled channel only where no wish is to be met: what it keeps is nowhere else', () => {
    const router = makeRouter();
    assert.deepEqual(places(router.routeTo(offered, undefined, at('off', 'off-1'))), ['off/off-1']);
    assert.deepEqual(places(router.routeTo(offered, WISH, at('off', 'off-1'))), []);
  });

  test('says that the provider is gone when its channel is, or is disabled', () => {
    const router = makeRouter();
    for (const [wish, channelId] of [
      [undefined, 'deleted'],
      [WISH, 'off'],
    ] as const) {
      const route = router.routeTo(offered, wish, at(channelId, 'k1'));
      assert.deepEqual([route.isBarren, route.next()], [true, undefined]);
      const { code, message, details } = route.exhausted();
      assert.deepEqual(
        [code, message, details.retryAfter],
        ['no_channel_available', 'The provider that keeps this is not available.', 60],
      );
    }
  });

  test('refuses a wish that its channel is there for, but cannot meet', () => {
    const router = makeRouter();
    const way: Way = { only: at('b', 'k1'), taken: undefined, field: 'previous_response_id' };
    for (const wish of [
      { ...WISH, model: 'other' },
      { ...WISH, serves: () => false },
    ]) {
      const route = router.along(way).route(offered, wish);
      assert.deepEqual([route.isBarren, route.isUnfit, route.next()], [true, false, undefined]);
      const { code, message, details } = route.exhausted();
      assert.deepEqual([code, details.param], ['invalid_request', 'previous_response_id']);
      assert.ok(message.includes(`does not serve the model "${wish.model}"`), message);
    }
  });
});

describe('a router along a way', () => {
  const keys = ['k1', 'k2'].map(key);
  const offered = catalogue(facts('a', { keys, priority: 9 }), facts('b', { keys }));

  test('marks on it where each candidate lies, the last of them staying', () => {
    const way: Way = { only: undefined, taken: undefined };
    const route = makeRouter().along(way).route(offered, WISH);
    assert.equal(way.taken, undefined);
    const taken: (Place | undefined)[] = [];
    while (route.next() !== undefined) {
      taken.push(way.taken);
      route.fail('unreachable', undefined);
      route.finish();
    }
    assert.deepEqual(taken, [
      { channelId: 'a', keyId: 'k1' },
      { channelId: 'b', keyId: 'k1' },
    ]);
    assert.deepEqual(way.taken, { channelId: 'b', keyId: 'k1' });
  });

  test('keeps to the only place that will do, and marks nothing where that cannot be asked', () => {
    const router = makeRouter();
    const way: Way = { only: { channelId: 'b', keyId: 'k2' }, taken: undefined };
    assert.deepEqual(places(router.along(way).route(offered, WISH)), ['b/k2']);
    assert.deepEqual(way.taken, way.only);
    const lost: Way = { only: { channelId: 'deleted', keyId: 'k2' }, taken: undefined };
    assert.deepEqual(places(router.along(lost).route(offered, WISH)), []);
    assert.equal(lost.taken, undefined);
  });

  test('shares its channels with the router that it comes from, so that a failure counts for all', () => {
    const router = makeRouter();
    const along = router.along({ only: undefined, taken: undefined });
    const [channel] = router.channels(offered);
    assert.equal(along.route(offered, WISH).next()?.channel, channel);
    while (channel?.breaker.state === 'closed') channel.breaker.fail(channel.breaker.begin(''));
    assert.equal(along.route(offered, WISH).next()?.channel.facts.id, 'b');
  });
});
