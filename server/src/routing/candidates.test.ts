import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Catalogue, ChannelFacts } from '../catalogue/catalogue.ts';
import { readChannelOptions } from '../catalogue/channel-options.ts';
import { CHANNEL_BREAKER } from './breaker.ts';
import { Router, type RouteRequest } from './candidates.ts';
import type { Channel } from './channel.ts';
import type { Route } from './route.ts';
import { catalogue, facts, key, secretBox, REQUEST } from './testing/offered.ts';

let now = 1_800_000_000_000;
const clock = { now: () => now };
const makeRouter = (): Router => new Router({ clock, secretBox, random: () => 0 });

function order(router: Router, offered: Catalogue, request: Partial<RouteRequest> = {}): string[] {
  const route = router.route(offered, { ...REQUEST, ...request });
  const ids: string[] = [];
  for (let one = route.next(); one !== undefined; one = route.next()) {
    ids.push(one.channel.facts.id);
    route.fail('unreachable', undefined);
    route.finish();
  }
  return ids;
}

test('channels that carry the model are asked, higher priority first whatever their order', () => {
  const offered = catalogue(
    facts('low', { priority: -5 }),
    facts('other', { models: new Map([['n', 'n']]) }),
    facts('high', { priority: 10 }),
    facts('middle', { priority: 3 }),
  );
  assert.deepEqual(order(makeRouter(), offered), ['high', 'middle', 'low']);
});

test('disabled channels and channels of other groups are not asked (contract 2)', () => {
  const offered = catalogue(
    facts('off', { enabled: false }),
    facts('gold', { groups: ['gold'], priority: 1 }),
    facts('all'),
    facts('both', { groups: ['default', 'gold'], priority: 2 }),
  );
  const router = makeRouter();
  assert.deepEqual(order(router, offered), ['both', 'all']);
  assert.deepEqual(order(router, offered, { group: 'gold' }), ['both', 'gold', 'all']);
  assert.deepEqual(order(router, offered, { model: 'unknown' }), []);
});

test('a channel of one account is asked for that account alone, also after calls of others (contract-2 7)', () => {
  const own = (accountId: string): Partial<ChannelFacts> => ({ options: { ...readChannelOptions('{}'), accountId } });
  const offered = catalogue(
    facts('a', { ...own('acc_a'), priority: 9 }),
    facts('b', { ...own('acc_b'), priority: 9 }),
    facts('all'),
  );
  const router = makeRouter();
  const first = (accountId?: string): string | undefined => {
    const route = router.route(offered, { ...REQUEST, ...(accountId !== undefined && { accountId }) });
    const candidate = route.next();
    route.finish();
    return candidate?.channel.facts.id;
  };
  for (let round = 0; round < 2; round++)
    assert.deepEqual([first('acc_a'), first('acc_b'), first('acc_c'), first()], ['a', 'b', 'all', 'all']);
});

test('a channel whose provider cannot serve the operation is not asked', () => {
  const offered = catalogue(facts('video', { provider: 'alpha', priority: 9 }), facts('chat'));
  const router = makeRouter();
  assert.deepEqual(order(router, offered), ['chat']);
  assert.deepEqual(order(router, offered, { operation: 'video', serves: ({ provider }) => provider === 'alpha' }), [
    'video',
  ]);
});

test('a live request is never answered by the sandbox where a real channel carries the model', () => {
  const offered = catalogue(facts('real'), facts('sandbox', { sandbox: true, priority: 9 }));
  assert.deepEqual(order(makeRouter(), offered), ['real']);
  assert.deepEqual(order(makeRouter(), catalogue(facts('sandbox', { sandbox: true }))), ['sandbox']);
});

test('test tokens reach only channels of the sandbox (contract 5)', () => {
  const offered = catalogue(facts('real', { priority: 9 }), facts('sandbox', { sandbox: true }));
  assert.deepEqual(order(makeRouter(), offered, { mode: 'test' }), ['sandbox']);
});

test('keys are opened, and a channel without keys is called without one', () => {
  const router = makeRouter();
  assert.equal(router.route(catalogue(facts('a')), REQUEST).next()?.key.secret, 'secret of a-1');
  assert.equal(router.route(catalogue(facts('b', { keys: [] })), REQUEST).next()?.key.secret, '');
});

function takeOut(channel: Channel | undefined): void {
  while (channel?.breaker.state === 'closed') channel.breaker.fail(channel.breaker.begin(''));
}

test('a channel and a key that stay keep their state over a change of the catalogue; new facts count at once', () => {
  const router = makeRouter();
  const before = facts('a', { keys: [key('k1'), key('k2')] });
  const [known] = router.channels(catalogue(before));
  takeOut(known);
  const [stayed] = router.channels(catalogue({ ...before, weight: 9, keys: [...before.keys.slice(1), key('k3')] }));
  assert.equal(stayed?.breaker.state, 'open');
  assert.equal(stayed?.facts.weight, 9);
  assert.deepEqual(
    stayed?.keys.map(({ id }) => id),
    ['k2', 'k3'],
  );
  assert.deepEqual(order(router, catalogue(before)), []);
});

test('a channel that moves to another address starts afresh, one that is gone is forgotten', () => {
  const router = makeRouter();
  takeOut(router.channels(catalogue(facts('a'), facts('b')))[0]);
  const moved = catalogue(facts('a', { baseUrl: 'http://new.example/v1' }));
  assert.deepEqual(
    router.channels(moved).map((channel) => [channel.facts.id, channel.breaker.state]),
    [['a', 'closed']],
  );
});

test('a route goes on with the channels it began with', () => {
  const router = makeRouter();
  const route = router.route(catalogue(facts('a', { priority: 1 }), facts('b')), REQUEST);
  route.next();
  router.channels(catalogue(facts('c')));
  route.fail('unreachable', undefined);
  route.finish();
  assert.equal(route.next()?.channel.facts.id, 'b');
});

test('the longest time any candidate may take is known before the first call', () => {
  const slow = facts('a', { options: { ...readChannelOptions('{}'), totalMs: 90_500 } });
  const quick = facts('b', { options: { ...readChannelOptions('{}'), totalMs: 1 } });
  assert.equal(makeRouter().route(catalogue(slow, quick), REQUEST).longestSeconds, 91);
  assert.equal(makeRouter().route(catalogue(), REQUEST).longestSeconds, 0);
});

describe('many requests at once on a failing channel (B-02)', () => {
  const offered = catalogue(facts('a'));
  const begin = (router: Router): Route => {
    const route = router.route(offered, REQUEST);
    assert.notEqual(route.next(), undefined);
    return route;
  };
  const fail = (route: Route): void => {
    route.fail('overloaded', undefined);
    route.finish();
  };
  const waitOf = (router: Router): number | undefined => router.channels(offered)[0]?.breaker.waitMs('');
  const isTaken = (router: Router): boolean => router.route(offered, REQUEST).next() === undefined;

  test('calls under way when the channel is taken out do not lengthen its pause as they fail too', () => {
    const router = makeRouter();
    const routes = Array.from({ length: 50 }, () => begin(router));
    for (const route of routes) fail(route);
    assert.equal(waitOf(router), CHANNEL_BREAKER.firstPauseMs);
  });

  test('an older call that is given up, or fails, does not make room for a second probe', () => {
    for (const failure of ['aborted', 'overloaded'] as const) {
      const router = makeRouter();
      const older = begin(router);
      for (let index = 0; index < 5; index++) fail(begin(router));
      now += CHANNEL_BREAKER.firstPauseMs;
      begin(router);
      assert.equal(isTaken(router), true);
      older.fail(failure, undefined);
      older.finish();
      now += failure === 'aborted' ? 0 : CHANNEL_BREAKER.longestPauseMs;
      assert.equal(isTaken(router), true, failure);
    }
  });

  test('a probe that ends without any verdict does not keep its channel out for ever', () => {
    const router = makeRouter();
    for (let index = 0; index < 5; index++) fail(begin(router));
    now += CHANNEL_BREAKER.firstPauseMs;
    begin(router).finish();
    assert.equal(isTaken(router), false);
  });
});
