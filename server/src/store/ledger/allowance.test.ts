import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Allowance, finish, periodStart, rolled, take } from './allowance.ts';

const at = (text: string): number => Date.parse(`${text}Z`) / 1000;
const monthly = (more: Partial<Allowance> = {}): Allowance => ({
  limit: 100n,
  period: 'month',
  start: at('2026-02-10T12:00:00'),
  used: 0n,
  ...more,
});

describe('an allowance', () => {
  test('periods begin at midnight UTC, weeks on Mondays, months on the first', () => {
    const now = at('2026-02-26T13:14:15'); // a Thursday
    assert.equal(periodStart('day', now), at('2026-02-26T00:00:00'));
    assert.equal(periodStart('week', now), at('2026-02-23T00:00:00'));
    assert.equal(periodStart('month', now), at('2026-02-01T00:00:00'));
    assert.equal(periodStart('week', at('2026-02-23T00:00:00')), at('2026-02-23T00:00:00'));
    assert.equal(periodStart('week', at('2026-02-22T23:59:59')), at('2026-02-16T00:00:00'));
  });

  test('allows its limit in a period, and all of it again in the next', () => {
    const now = at('2026-02-27T00:00:00');
    const taken = take(monthly(), 60n, now);
    assert.equal(taken?.used, 60n);
    assert.equal(take(taken ?? monthly(), 41n, now), undefined);
    assert.equal(take(taken ?? monthly(), 40n, now)?.used, 100n);
    const next = take(taken ?? monthly(), 100n, at('2026-03-01T00:00:00'));
    assert.deepEqual([next?.used, next?.start], [100n, at('2026-03-01T00:00:00')]);
  });

  test('without a period it never resets', () => {
    const total = monthly({ period: null, used: 90n });
    assert.equal(take(total, 11n, at('2036-01-01T00:00:00')), undefined);
  });

  test('gives back what a hold of the running period did not cost, and nothing of one before', () => {
    const [february, march] = [at('2026-02-28T23:59:00'), at('2026-03-01T00:01:00')];
    const hold = { amount: 60n, created_at: february };
    const taken = take(monthly(), 60n, february) ?? monthly();
    assert.equal(finish(taken, hold, { charged: 10n, at: february }).used, 10n);
    assert.equal(finish(taken, hold, { charged: 10n, at: march }).used, 0n, 'it counted in February');
    const over = finish(taken, hold, { charged: 120n, at: february });
    assert.equal(over.used, 120n, 'an answer beyond its estimate counts whole');
    const before = { amount: 60n, created_at: monthly().start - 1 };
    assert.equal(
      finish(monthly({ used: 5n }), before, { charged: 1n, at: february }).used,
      5n,
      'held before it was set',
    );
  });

  test('a clock that goes back resets nothing', () => {
    const march = monthly({ start: at('2026-03-01T00:00:00'), used: 7n });
    assert.equal(rolled(march, at('2026-02-28T23:59:59')), march);
  });
});
