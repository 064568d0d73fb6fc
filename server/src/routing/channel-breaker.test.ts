// Who is kept out of a failing channel (promise B-02).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CHANNEL_BREAKER } from './breaker.ts';
import { ChannelBreaker } from './channel-breaker.ts';

function make() {
  let now = 1_800_000_000_000;
  const breaker = new ChannelBreaker({ now: () => now });
  return {
    breaker,
    pass: (ms: number) => (now += ms),
    fail: (account: string, cannotConnect = false) => breaker.fail(breaker.begin(account), { cannotConnect }),
    succeed: (account: string) => breaker.succeed(breaker.begin(account)),
  };
}

function times(count: number, act: () => void): void {
  for (let index = 0; index < count; index++) act();
}

describe('one account', () => {
  test('failing calls of one account keep that account out, and nobody else', () => {
    const { breaker, fail } = make();
    times(5, () => fail('attacker'));
    assert.equal(breaker.allows('attacker'), false);
    assert.equal(breaker.waitMs('attacker'), CHANNEL_BREAKER.firstPauseMs);
    assert.equal(breaker.allows('victim'), true);
    assert.equal(breaker.waitMs('victim'), 0);
  });

  test('alone it is kept out within 10 failures, tried after the pause, and back when that succeeds (promise B-02)', () => {
    const { breaker, pass, fail, succeed } = make();
    let failures = 0;
    for (; breaker.allows('only') && failures < 100; failures++) fail('only');
    assert.ok(failures <= 10, `${failures}`);
    assert.equal(breaker.state, 'open', 'operators see it');
    assert.equal(breaker.retryMs, CHANNEL_BREAKER.firstPauseMs);
    pass(CHANNEL_BREAKER.firstPauseMs);
    assert.equal(breaker.state, 'half-open');
    fail('only');
    assert.equal(breaker.waitMs('only'), 2 * CHANNEL_BREAKER.firstPauseMs);
    pass(2 * CHANNEL_BREAKER.firstPauseMs);
    succeed('only');
    assert.equal(breaker.state, 'closed');
  });

  test('however often it fails, a busy account that is answered stays in and operators see a healthy channel', () => {
    const { breaker, pass, fail, succeed } = make();
    for (let round = 0; round < 50; round++) {
      if (breaker.allows('attacker')) fail('attacker');
      succeed('victim');
      pass(500);
      assert.equal(breaker.allows('victim'), true);
    }
    assert.equal(breaker.state, 'closed');
    assert.equal(breaker.accountsOut, 1);
  });

  test('one stray failure of a busy account beside an attacker does not open it for everybody', () => {
    const { breaker, fail, succeed } = make();
    times(4, () => fail('attacker'));
    times(20, () => succeed('victim'));
    fail('victim');
    times(10, () => breaker.allows('attacker') && fail('attacker'));
    assert.equal(breaker.allows('victim'), true);
  });
});

describe('several accounts', () => {
  test('when calls of a second account fail too it is closed to everybody', () => {
    const { breaker, fail } = make();
    times(5, () => fail('first'));
    fail('second');
    assert.equal(breaker.allows('third'), false);
    assert.equal(breaker.state, 'open');
  });

  test('also when the second fails long after the first, if nobody was answered meanwhile', () => {
    const { breaker, pass, fail } = make();
    times(5, () => fail('first'));
    pass(2 * CHANNEL_BREAKER.windowMs);
    fail('second');
    assert.equal(breaker.allows('third'), false);

    const other = make();
    times(5, () => other.fail('first'));
    other.pass(2 * CHANNEL_BREAKER.windowMs);
    other.succeed('third');
    other.fail('second');
    assert.equal(other.breaker.allows('third'), true);
  });

  test('many accounts with one failing call each open it within 10 failures (promise B-02)', () => {
    const { breaker, fail } = make();
    let failures = 0;
    for (; breaker.allows('somebody') && failures < 100; failures++) fail(`account-${failures}`);
    assert.ok(failures <= 10, `${failures}`);
  });

  test('an account whose calls fail cannot keep the probe from the others', () => {
    const { breaker, pass, fail, succeed } = make();
    times(5, () => fail('first'));
    fail('second');
    for (let round = 0; round < 6; round++) {
      pass(breaker.waitMs('attacker'));
      fail('attacker');
      assert.equal(breaker.allows('attacker'), false);
      assert.ok(breaker.waitMs('victim') <= 2 * CHANNEL_BREAKER.firstPauseMs, `${breaker.waitMs('victim')}`);
      assert.ok(breaker.waitMs('victim') < breaker.waitMs('attacker') || round === 0);
    }
    pass(breaker.waitMs('victim'));
    succeed('victim');
    assert.equal(breaker.allows('third'), true);
  });
});

describe('no connection', () => {
  test('one call that cannot connect keeps everybody out at once, for a second at first', () => {
    const { breaker, pass, fail, succeed } = make();
    fail('first', true);
    assert.equal(breaker.allows('second'), false);
    assert.equal(breaker.waitMs('second'), 1_000);
    const waits: number[] = [];
    for (let round = 0; round < 8; round++) {
      pass(breaker.waitMs('second'));
      fail('second', true);
      waits.push(breaker.waitMs('third'));
    }
    assert.deepEqual(waits, [2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
    pass(60_000);
    succeed('third');
    assert.equal(breaker.state, 'closed');
  });
});

test('memory is bounded however many accounts fail', () => {
  const { breaker, fail, succeed } = make();
  for (let index = 0; index < 5_000; index++) {
    succeed('good');
    fail(`account-${index}`);
  }
  times(4, () => fail('last'));
  assert.ok(breaker.accountsOut <= 500);
});
