import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { setDeadline } from './deadline.ts';

test('a deadline is due after its time, unless it is called off', () => {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  try {
    const due: string[] = [];
    setDeadline(() => due.push('short'), 20);
    setDeadline(() => due.push('long'), 60_000);
    const timer = setDeadline(() => due.push('called off'), 60_000);
    mock.timers.tick(20);
    assert.deepEqual(due, ['short']);
    clearTimeout(timer);
    mock.timers.tick(59_979);
    assert.deepEqual(due, ['short']);
    mock.timers.tick(1);
    assert.deepEqual(due, ['short', 'long']);
    mock.timers.tick(600_000);
    assert.deepEqual(due, ['short', 'long']);
  } finally {
    mock.timers.reset();
  }
});

test('only lengths of a second to 24 days keep something that rings, and only 32 of them', () => {
  const intervals = mock.method(globalThis, 'setInterval');
  try {
    const lengths = Array.from({ length: 40 }, (_, index) => 1_000_000 + index);
    for (const ms of [999, 1, 2 ** 31, ...lengths, ...lengths]) clearTimeout(setDeadline(() => {}, ms));
    const kept = intervals.mock.calls.map((call) => call.arguments[1]);
    assert.ok(kept.length > 0 && kept.length <= 32, `${kept.length} are kept`);
    assert.equal(new Set(kept).size, kept.length);
    assert.ok(kept.every((ms) => Number(ms) >= 1_000 && Number(ms) < 2 ** 31));
    for (const call of intervals.mock.calls) assert.equal((call.result as NodeJS.Timeout).hasRef(), false);
  } finally {
    intervals.mock.restore();
  }
});
