import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { steadyClock } from './clock.ts';
import { SlidingWindow } from './sliding-window.ts';

const AT = 1_760_000_000_000;

describe('a sum over the last minute', () => {
  test('forgets what is older than a minute and at most a second', () => {
    const window = new SlidingWindow();
    window.add(AT, 3);
    window.add(AT + 30_000, 4);
    assert.equal(window.sum(AT + 60_000), 7);
    assert.equal(window.sum(AT + 61_000), 4);
    assert.equal(window.sum(AT + 91_000), 0);
    assert.equal(window.untilEmpty(AT + 91_000), 0);
  });

  test('says how long it takes until there is room, and that some things never fit', () => {
    const window = new SlidingWindow();
    window.add(AT, 3);
    window.add(AT + 10_000, 2);
    assert.equal(window.wait(AT + 10_000, 5, 0), 0);
    assert.equal(window.wait(AT + 10_000, 5, 3), 51_000);
    assert.equal(window.wait(AT + 10_000, 5, 4), 61_000);
    assert.equal(window.wait(AT + 10_000, 5, 6), Infinity);
    assert.equal(window.untilEmpty(AT + 10_500), 60_500);
  });

  test('corrects the second in which something was counted, as long as it is there', () => {
    const window = new SlidingWindow();
    window.add(AT, 100);
    window.correct(AT + 5_000, AT / 1000, -40);
    assert.equal(window.sum(AT + 5_000), 60);
    window.correct(AT + 5_000, AT / 1000, -90);
    assert.equal(window.sum(AT + 5_000), 0, 'never below nothing');
    window.correct(AT + 90_000, AT / 1000, 50);
    assert.equal(window.sum(AT + 90_000), 0);
  });

  test('a clock that goes back gives nothing away', () => {
    const window = new SlidingWindow();
    window.add(AT, 5);
    window.add(AT - 3_600_000, 1);
    assert.equal(window.sum(AT - 3_600_000), 6);
    assert.equal(window.sum(AT), 6);
  });

  test('empties within a minute of the steady clock, also when the other is set back by an hour (FT-10)', (t) => {
    const window = new SlidingWindow();
    window.add(steadyClock.now(), 5);
    const [wall, passed] = [Date.now(), performance.now()];
    t.mock.method(Date, 'now', () => wall - 3_600_000);
    assert.equal(window.wait(steadyClock.now(), 5, 0), 0);
    assert.ok(window.wait(steadyClock.now(), 5, 1) <= 61_000);
    assert.equal(window.sum(steadyClock.now()), 5, 'nothing is given away');
    t.mock.method(performance, 'now', () => passed + 61_000);
    assert.equal(window.sum(steadyClock.now()), 0);
  });

  test('the first to ask never gets more than the limit in any minute, nor waits longer than announced', () => {
    const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 1, max: 4 })), {
      maxLength: 80,
    });
    fc.assert(
      fc.property(steps, fc.integer({ min: 4, max: 12 }), (list, limit) => {
        const window = new SlidingWindow();
        const taken: { at: number; amount: number }[] = [];
        let now = AT;
        for (const [pause, amount] of list) {
          now += pause;
          const wait = window.wait(now, limit, amount);
          if (wait > 0) {
            assert.ok(wait <= 61_000);
            assert.equal(window.wait(now + wait, limit, amount), 0);
            now += wait;
          }
          window.add(now, amount);
          taken.push({ at: now, amount });
          const minute = taken.filter(({ at }) => at > now - 60_000);
          assert.ok(minute.reduce((sum, one) => sum + one.amount, 0) <= limit);
        }
      }),
    );
  });
});
