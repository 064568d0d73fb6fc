import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Admission } from './admission.ts';
import { mostOpenRequests, Pressure } from './pressure.ts';

const MB = 1024 * 1024;

function makeAdmission(mostOpen: number) {
  const pressure = { isLate: false, isFull: false };
  const admission = new Admission({ mostOpen, pressure });
  /** As a request does it; false when it was refused. */
  const open = (token: string): boolean => {
    try {
      admission.arrive();
      void admission.begin(token);
      return true;
    } catch (error) {
      assert.equal((error as { code: string }).code, 'overloaded');
      admission.leave();
      return false;
    }
  };
  const close = (token: string): void => {
    admission.end(token);
    admission.leave();
  };
  const openMany = (token: string, count: number): number =>
    Array.from({ length: count }, () => open(token)).filter(Boolean).length;
  return { admission, pressure, open, close, openMany };
}

test('one token has at most half of all open at once, and another finds room beside it', () => {
  const { openMany, admission } = makeAdmission(100);
  assert.equal(openMany('loud', 200), 50);
  assert.equal(openMany('second', 200), 25);
  assert.ok(openMany('third', 1) === 1);
  assert.equal(admission.open, 76);
});

test('what has ended makes room again, and nothing is left of it', () => {
  const { openMany, close, admission } = makeAdmission(100);
  for (let round = 0; round < 3; round++) {
    assert.equal(openMany('a', 80), 50);
    for (let count = 0; count < 50; count++) close('a');
    assert.equal(admission.open, 0);
  }
});

test('while the process is late, who has at least its share begins nothing more, and who has less does', () => {
  const { open, openMany, close, pressure } = makeAdmission(1_000);
  openMany('loud', 60);
  openMany('quiet', 2);
  pressure.isLate = true;
  assert.equal(open('loud'), false);
  assert.equal(open('quiet'), true);
  assert.equal(open('new'), true);
  for (let count = 0; count < 60; count++) close('loud');
  assert.equal(open('loud'), true);
  pressure.isLate = false;
  assert.equal(openMany('loud', 5), 5);
});

test('while memory is short nothing begins, not even the first request of a token', () => {
  const { open, pressure } = makeAdmission(1_000);
  pressure.isFull = true;
  assert.equal(open('a'), false);
  pressure.isFull = false;
  assert.equal(open('a'), true);
});

test('a standing delay is pressure, a single long step is not, and it ends with the first sample in time', () => {
  const pressure = new Pressure({ rss: 1_000 * MB, heap: 500 * MB }, () => ({ rss: 0, heapUsed: 0 }));
  let now = 0;
  const sample = (late: number): boolean => {
    now += 100 + late;
    pressure.sample(now);
    return pressure.isLate;
  };
  assert.equal(sample(5_000), false);
  assert.equal(sample(0), false);
  assert.deepEqual(
    Array.from({ length: 6 }, () => sample(300)),
    [false, false, false, false, true, true],
  );
  assert.equal(sample(20), false);
});

test('a rest is no delay', () => {
  const pressure = new Pressure({ rss: 1_000 * MB, heap: 500 * MB }, () => ({ rss: 0, heapUsed: 0 }));
  for (let now = 0; now <= 2_000; now += 400) pressure.sample(now);
  assert.equal(pressure.isLate, true);
  pressure.begin(60_000);
  assert.equal(pressure.isLate, false);
  for (let now = 60_100; now <= 60_600; now += 100) pressure.sample(now);
  for (let now = 61_000; now <= 62_200; now += 400) pressure.sample(now);
  assert.equal(pressure.isLate, false, 'four late samples, not five');
  pressure.sample(62_600);
  assert.equal(pressure.isLate, true);
});

test('every request that arrives is counted, also one that is refused', () => {
  let arrivals = 0;
  const pressure = { isLate: false, isFull: false };
  const admission = new Admission({ mostOpen: 1, pressure, onArrival: () => arrivals++ });
  admission.arrive();
  assert.throws(() => admission.arrive());
  assert.equal(arrivals, 2);
});

test('memory near the end of the share or of the heap is looked at once a second', () => {
  const usage = { rss: 100 * MB, heapUsed: 50 * MB };
  const pressure = new Pressure({ rss: 1_000 * MB, heap: 500 * MB }, () => usage);
  const at = (now: number): boolean => {
    pressure.sample(now);
    return pressure.isFull;
  };
  assert.equal(at(2_000), false);
  usage.heapUsed = 450 * MB;
  assert.equal(at(2_100), false);
  assert.equal(at(3_100), true);
  usage.heapUsed = 50 * MB;
  assert.equal(at(4_200), false);
  usage.rss = 900 * MB;
  assert.equal(at(5_300), true);
});

test('the number of open requests follows the memory, within bounds', () => {
  assert.equal(mostOpenRequests({ rss: 100 * MB, heap: 60 * MB }), 500);
  assert.equal(mostOpenRequests({ rss: 8_000 * MB, heap: 1_024 * MB }), 2_048);
  assert.equal(mostOpenRequests({ rss: 64_000 * MB, heap: 32_000 * MB }), 10_000);
});

test('it is notified when a second token calls, and when only one has called for a while', () => {
  const reported: boolean[] = [];
  const clock = { now: 1 };
  const pressure = { isLate: false, isFull: false };
  const admission = new Admission({
    mostOpen: 100,
    pressure,
    onShared: (isShared) => reported.push(isShared),
    now: () => clock.now,
  });
  for (const token of ['a', 'a', 'b', 'a', 'a']) void admission.begin(token);
  assert.deepEqual(reported, [true]);
  clock.now = 5_000;
  void admission.begin('a');
  assert.deepEqual(reported, [true]);
  clock.now = 20_000;
  void admission.begin('a');
  void admission.begin('a');
  assert.deepEqual(reported, [true, false]);
  void admission.begin('b');
  assert.deepEqual(reported, [true, false, true]);
});
