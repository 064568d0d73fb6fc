import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ChannelFacts } from '../catalogue/catalogue.ts';
import { readChannelOptions } from '../catalogue/channel-options.ts';
import { ChannelKey } from './channel-key.ts';
import { Channel } from './channel.ts';
import type { FailureClass } from '../errors/failure-class.ts';
import { Route } from './route.ts';

let now = 1_800_000_000_000;
const clock = { now: () => now };

interface ChannelOptions {
  priority?: number;
  weight?: number;
  keys?: string[];
  concurrency?: number;
}

function channel(id: string, { priority = 0, weight = 1, keys = ['k1'], concurrency }: ChannelOptions = {}): Channel {
  const facts: ChannelFacts = {
    id,
    name: id,
    provider: 'openai',
    baseUrl: `http://${id}.example/v1`,
    models: new Map([['m', 'm']]),
    groups: [],
    priority,
    weight,
    enabled: true,
    sandbox: false,
    headers: {},
    options: { ...readChannelOptions('{}'), concurrency },
    keys: [],
  };
  return new Channel(
    facts,
    keys.map((key) => new ChannelKey(key, `secret of ${key}`)),
    clock,
  );
}

/** A small generator with a fixed seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const routeOver = (channels: Channel[], random: () => number = seeded(1)): Route =>
  new Route(channels, { clock, random });

const named = (route: Route): string | undefined => {
  const candidate = route.next();
  return candidate === undefined ? undefined : `${candidate.channel.facts.id}/${candidate.key.id}`;
};

/** Asks one after another, each failing in the same way. */
function failAll(route: Route, failure: FailureClass, retryAfter?: number): string[] {
  const asked: string[] = [];
  for (let name = named(route); name !== undefined; name = named(route)) {
    asked.push(name);
    const goOn = route.fail(failure, retryAfter);
    route.finish();
    if (!goOn) break;
  }
  return asked;
}

function takeOnce(channels: Channel[], random?: () => number): string | undefined {
  const route = routeOver(channels, random);
  const name = named(route);
  route.succeed();
  route.finish();
  return name;
}

describe('order', () => {
  test('higher priority is asked first, and every channel once', () => {
    const channels = [channel('a', { priority: 9 }), channel('b', { priority: 5 }), channel('c', { priority: -1 })];
    assert.deepEqual(failAll(routeOver(channels), 'unreachable'), ['a/k1', 'b/k1', 'c/k1']);
  });

  test('within one priority calls are shared by weight', () => {
    const channels = [channel('a', { weight: 6 }), channel('b', { weight: 3 }), channel('c', { weight: 1 })];
    channels.push(channel('d', { weight: 100, priority: -1 }));
    const random = seeded(7);
    const counts = new Map<string, number>();
    for (let index = 0; index < 10_000; index++) {
      const name = takeOnce(channels, random) ?? '';
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    const shares = ['a/k1', 'b/k1', 'c/k1', 'd/k1'].map((name) => (counts.get(name) ?? 0) / 10_000);
    for (const [index, expected] of [0.6, 0.3, 0.1, 0].entries()) {
      assert.ok(Math.abs((shares[index] ?? 0) - expected) < 0.02, JSON.stringify(shares));
    }
  });

  test('a weight of 0 is for when nobody else is left', () => {
    const channels = [channel('a', { weight: 0 }), channel('b', { weight: 1 })];
    for (let seed = 0; seed < 50; seed++) assert.equal(takeOnce(channels, seeded(seed)), 'b/k1');
    assert.deepEqual(failAll(routeOver(channels), 'unreachable'), ['b/k1', 'a/k1']);
  });
});

describe('after a failure', () => {
  test('a channel that failed is not asked again by the same request', () => {
    for (const failure of ['overloaded', 'timed-out', 'unreachable', 'malformed'] as const) {
      const channels = [channel('a', { keys: ['k1', 'k2'] }), channel('b')];
      assert.equal(new Set(failAll(routeOver(channels), failure).map((name) => name[0])).size, 2, failure);
      assert.equal(failAll(routeOver(channels), failure).length, 2, failure);
    }
  });

  test('a refused request and one whose client left are tried nowhere else', () => {
    for (const failure of ['refused', 'aborted'] as const)
      assert.equal(failAll(routeOver([channel('a'), channel('b')]), failure).length, 1);
  });

  test('a rejected key is left out for a while, the other keys of its channel are not', () => {
    const one = channel('a', { keys: ['k1', 'k2'] });
    const route = routeOver([one]);
    assert.equal(named(route), 'a/k1');
    assert.equal(route.fail('unauthorised', undefined), true);
    route.finish();
    assert.equal(named(route), 'a/k2');
    route.succeed();
    route.finish();
    for (let index = 0; index < 4; index++) assert.equal(takeOnce([one]), 'a/k2');
    now += 300_000;
    assert.deepEqual(new Set([takeOnce([one]), takeOnce([one])]), new Set(['a/k1', 'a/k2']));
  });

  test('five failures in a row keep a channel out for everybody until its pause is over (B-02)', () => {
    const bad = channel('a', { priority: 1 });
    const channels = [bad, channel('b')];
    for (let index = 0; index < 5; index++) assert.deepEqual(failAll(routeOver(channels), 'overloaded')[0], 'a/k1');
    assert.equal(bad.breaker.state, 'open');
    assert.notEqual(named(routeOver(channels)), 'a/k1');
    now += 5_000;
    assert.equal(takeOnce(channels), 'a/k1');
    assert.equal(bad.breaker.state, 'closed');
  });
});

describe('keys', () => {
  test('the keys of a channel take turns', () => {
    const one = channel('a', { keys: ['k1', 'k2', 'k3'] });
    const names = Array.from({ length: 6 }, () => takeOnce([one]));
    assert.deepEqual(names, ['a/k1', 'a/k2', 'a/k3', 'a/k1', 'a/k2', 'a/k3']);
  });

  test('a limited key rests as long as the upstream asked, 2 s when it did not say', () => {
    for (const [retryAfter, rest] of [
      [30, 30_000],
      [undefined, 2_000],
    ] as const) {
      const one = channel('a', { keys: ['k1', 'k2'] });
      const route = routeOver([one]);
      assert.equal(named(route), 'a/k1');
      route.fail('limited', retryAfter);
      route.finish();
      for (let index = 0; index < 3; index++) assert.equal(takeOnce([one]), 'a/k2');
      now += rest - 1;
      assert.equal(takeOnce([one]), 'a/k2');
      now += 1;
      assert.equal(takeOnce([one]), 'a/k1');
    }
  });
});

describe('concurrency', () => {
  test('a full channel is passed over until a call ends', () => {
    const channels = [channel('a', { priority: 1, concurrency: 2 }), channel('b')];
    const running = [routeOver(channels), routeOver(channels)];
    for (const route of running) assert.equal(named(route), 'a/k1');
    assert.equal(takeOnce(channels), 'b/k1');
    running[0]?.succeed();
    assert.equal(takeOnce(channels), 'b/k1');
    running[0]?.finish();
    running[0]?.finish();
    assert.equal(takeOnce(channels), 'a/k1');
    assert.equal(channels[0]?.active, 1);
  });
});

describe('nobody left (contract 4)', () => {
  const reported = (route: Route): unknown[] => {
    const { code, status, details } = route.exhausted();
    return [status, code, details.retryAfter];
  };
  const after = (channels: Channel[], failures: FailureClass[], retryAfter?: number): unknown[] => {
    const route = routeOver(channels);
    for (const failure of failures) {
      assert.notEqual(route.next(), undefined);
      route.fail(failure, retryAfter);
      route.finish();
    }
    assert.equal(route.next(), undefined);
    return reported(route);
  };
  const two = (): Channel[] => [channel('a', { priority: 1 }), channel('b')];

  test('all limited: 429 with the shortest wait asked for', () => {
    assert.deepEqual(after(two(), ['limited', 'limited'], 17), [429, 'upstream_rate_limited', 17]);
    assert.deepEqual(after(two(), ['limited', 'limited']), [429, 'upstream_rate_limited', 2]);
  });

  test('all too slow: 504', () => {
    assert.deepEqual(after(two(), ['timed-out', 'timed-out']), [504, 'upstream_timeout', undefined]);
  });

  test('rejected keys, broken connections, garbage, 5xx and every mix: 502', () => {
    const mixes: FailureClass[][] = [
      ['unauthorised', 'unauthorised'],
      ['unreachable', 'unreachable'],
      ['malformed', 'malformed'],
      ['overloaded', 'overloaded'],
      ['limited', 'overloaded'],
      ['timed-out', 'limited'],
      ['unreachable', 'timed-out'],
    ];
    for (const mix of mixes) assert.deepEqual(after(two(), mix), [502, 'upstream_error', undefined], mix.join());
  });

  test('channels down or full before the first call: 503 with Retry-After', () => {
    const down = two();
    for (const one of down) {
      while (one.breaker.state === 'closed') one.breaker.fail(one.breaker.begin(''));
    }
    assert.deepEqual(after(down, []), [503, 'no_channel_available', 5]);
    const full = channel('a', { concurrency: 1 });
    routeOver([full]).next();
    assert.deepEqual(after([full], []), [503, 'no_channel_available', 1]);
  });

  test('one key resting, and others whose channel is full or down: 503, for not every channel is limited', () => {
    const full = channel('a', { keys: ['k1', 'k2'], concurrency: 1 });
    const first = routeOver([full]);
    first.next();
    first.fail('limited', 20);
    first.finish();
    const second = routeOver([full]);
    assert.equal(named(second), 'a/k2');
    assert.deepEqual(after([full], []), [503, 'no_channel_available', 1]);
    second.finish();

    const [resting, down] = [channel('b'), channel('c')];
    failAll(routeOver([resting]), 'limited', 20);
    while (down.breaker.state === 'closed') down.breaker.fail(down.breaker.begin(''));
    assert.deepEqual(after([resting, down], []), [503, 'no_channel_available', 5]);
  });

  test('every key still resting: 429 with the rest of the wait', () => {
    const channels = two();
    failAll(routeOver(channels), 'limited', 20);
    now += 5_000;
    assert.deepEqual(after(channels, []), [429, 'upstream_rate_limited', 15]);
  });
});
