import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chargedByTime, reportedUnits, trait } from './bill-by-time.ts';

const sent = { milliseconds: 5000, resolution: '720P', traits: 'mode:pro sound:on' };
const asked = { by: 'time', milliseconds: 5000, resolution: '720P', traits: ['mode:pro', 'sound:on'] };

test('seconds are charged as the vendor counts them, else as asked for; an absurd count is not believed (M-10)', () => {
  assert.deepEqual(chargedByTime(sent, {}, 'second'), { usage: asked, source: 'estimated' });
  assert.deepEqual(chargedByTime(sent, { milliseconds: 7000, resolution: '2K' }, 'second'), {
    usage: { ...asked, milliseconds: 7000, resolution: '2K' },
    source: 'upstream',
  });
  assert.deepEqual(chargedByTime(sent, { milliseconds: 1e9 }, 'second'), {
    usage: asked,
    source: 'bounded',
    doubted: 1e6,
  });
});

test('a price by reports goes by units, or by seconds where the vendor reports those (contract-2 9)', () => {
  const reports = { ...sent, reports: 'units' };
  const reported = { units: '3.5', milliseconds: 7000 };
  assert.deepEqual(chargedByTime(reports, reported, 'reported'), {
    usage: { by: 'reported', units: '3.5' },
    source: 'upstream',
  });
  assert.equal(chargedByTime(reports, { milliseconds: 7000 }, 'reported').source, 'estimated');
  assert.equal(chargedByTime(sent, { milliseconds: 7000 }, 'reported').source, 'upstream');
  assert.equal(chargedByTime(reports, reported, 'second').source, 'upstream');
});

test('units are exact decimals of at most nine places', () => {
  const golden: [unknown, string | undefined][] = [
    ['3.5', '3.5'],
    [70, '70'],
    [0, '0'],
    [0.1, '0.1'],
    [1e-9, '0.000000001'],
    ['0.0123456789', '0.012345679'],
    ['0.4200000000', '0.42'],
    ['12.000', '12'],
    ['-1', undefined],
    [-1, undefined],
    [1e18, undefined],
    [Number.NaN, undefined],
    ['many', undefined],
    [undefined, undefined],
    [null, undefined],
  ];
  for (const [value, units] of golden) assert.equal(reportedUnits(value), units, String(value));
});

test('a trait is the name and value of what was sent, flags as on and off', () => {
  assert.deepEqual(trait('sound', 'ON'), ['sound:on']);
  assert.deepEqual(trait('bgm', false), ['bgm:off']);
  assert.deepEqual(trait('mode', undefined), []);
  assert.deepEqual(trait('mode', 'a b'), []);
  assert.deepEqual(trait('mode', {}), []);
});
