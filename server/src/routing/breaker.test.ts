import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { Breaker, type BreakerTicket, CHANNEL_BREAKER } from './breaker.ts';

const START = 1_800_000_000_000;

class FakeClock {
  #now = START;
  now(): number {
    return this.#now;
  }
  pass(ms: number): void {
    this.#now += ms;
  }
}

function make(): { clock: FakeClock; breaker: Breaker } {
  const clock = new FakeClock();
  return { clock, breaker: new Breaker(clock) };
}

function failUntilOpen(breaker: Breaker): number {
  let failures = 0;
  for (; breaker.state === 'closed' && failures < 1000; failures++) {
    breaker.fail(breaker.begin());
  }
  return failures;
}

/** Opens, waits for the pause and begins the one call that is let through. */
function probe(breaker: Breaker, clock: FakeClock): BreakerTicket {
  failUntilOpen(breaker);
  clock.pass(breaker.waitMs);
  assert.equal(breaker.allows, true);
  return breaker.begin();
}

describe('opening', () => {
  test('it opens within 10 failures in a row (B-02)', () => {
    const { breaker } = make();
    const failures = failUntilOpen(breaker);
    assert.ok(failures > 1 && failures <= 10, `${failures}`);
    assert.equal(breaker.allows, false);
    assert.equal(breaker.waitMs, CHANNEL_BREAKER.firstPauseMs);
  });

  test('it stays closed while most calls succeed', () => {
    const { clock, breaker } = make();
    for (let index = 0; index < 500; index++) {
      if (index % 3 === 0) breaker.fail(breaker.begin());
      else breaker.succeed(breaker.begin());
      clock.pass(10);
    }
    assert.equal(breaker.state, 'closed');
  });

  test('failures spread over more than the window do not open it', () => {
    const { clock, breaker } = make();
    for (let index = 0; index < 50; index++) {
      breaker.fail(breaker.begin());
      clock.pass(CHANNEL_BREAKER.windowMs / 3);
    }
    assert.equal(breaker.state, 'closed');
  });

  test('a call that tells nothing counts neither way', () => {
    const { breaker } = make();
    for (let index = 0; index < 50; index++) breaker.abandon(breaker.begin());
    assert.equal(breaker.state, 'closed');
    assert.ok(failUntilOpen(breaker) <= 10);
  });

  test('a clock set back does not keep it from opening', () => {
    const { clock, breaker } = make();
    breaker.fail(breaker.begin());
    clock.pass(-3_600_000);
    assert.ok(failUntilOpen(breaker) <= 10);
  });
});

describe('probing', () => {
  test('after the pause exactly one call is let through at a time', () => {
    const { clock, breaker } = make();
    failUntilOpen(breaker);
    clock.pass(CHANNEL_BREAKER.firstPauseMs - 1);
    assert.equal(breaker.allows, false);
    clock.pass(1);
    assert.equal(breaker.state, 'half-open');
    assert.equal(breaker.allows, true);
    breaker.begin();
    assert.equal(breaker.allows, false);
    clock.pass(60_000);
    assert.equal(breaker.allows, false);
  });

  test('a probe that succeeds closes it, with a clean slate', () => {
    const { clock, breaker } = make();
    breaker.succeed(probe(breaker, clock));
    assert.equal(breaker.state, 'closed');
    assert.equal(breaker.waitMs, 0);
    breaker.fail(breaker.begin());
    assert.equal(breaker.state, 'closed');
  });

  test('an abandoned probe lets the next one in', () => {
    const { clock, breaker } = make();
    breaker.abandon(probe(breaker, clock));
    assert.equal(breaker.state, 'half-open');
    assert.equal(breaker.allows, true);
  });

  test('each probe that fails doubles the pause up to the longest; success makes it short again', () => {
    const { clock, breaker } = make();
    failUntilOpen(breaker);
    const pauses = [breaker.waitMs];
    for (let index = 0; index < 6; index++) {
      clock.pass(breaker.waitMs);
      breaker.fail(breaker.begin());
      pauses.push(breaker.waitMs);
    }
    assert.deepEqual(pauses, [5_000, 10_000, 20_000, 40_000, 60_000, 60_000, 60_000]);
    clock.pass(60_000);
    breaker.succeed(breaker.begin());
    failUntilOpen(breaker);
    assert.equal(breaker.waitMs, CHANNEL_BREAKER.firstPauseMs);
  });
});

test('whatever happens, it can be asked again within the longest pause once no call is under way', () => {
  const step = fc.oneof(
    fc.constantFrom('succeed' as const, 'fail' as const, 'abandon' as const),
    fc.integer({ min: 1, max: 90_000 }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { clock, breaker } = make();
      for (const one of steps) {
        if (typeof one === 'number') clock.pass(one);
        else if (breaker.allows) {
          breaker[one](breaker.begin());
        }
        assert.ok(breaker.waitMs <= CHANNEL_BREAKER.longestPauseMs);
      }
      clock.pass(CHANNEL_BREAKER.longestPauseMs);
      assert.equal(breaker.allows, true);
    }),
    { numRuns: 1000 },
  );
});
