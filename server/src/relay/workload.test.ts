import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Workload } from './workload.ts';

function makeWorkload({ shared = true } = {}) {
  const world = { now: 0, utilisation: 0.5, calls: 0 };
  const workload = new Workload({
    least: { shared: 4, alone: 40 },
    now: () => world.now,
    utilisation: () => world.utilisation,
  });
  workload.isShared = shared;
  workload.onCapacity = () => world.calls++;
  /** So many begin, and have their holds after the given time. */
  const begin = (count: number, holdMs = 1) => {
    const works = Array.from({ length: count }, () => workload.begin());
    world.now += holdMs;
    for (const work of works) work.held();
    return works;
  };
  /** Samples during which the pace stays as it is. */
  const goOn = (samples: number): void => {
    for (let sample = 0; sample < samples; sample++) {
      for (const work of begin(10)) work.end();
      workload.sample();
    }
  };
  return { world, workload, begin, goOn };
}

test('without pressure there is capacity for any number', () => {
  const { workload, begin } = makeWorkload();
  begin(1_000);
  workload.sample();
  assert.ok(workload.capacity > 1_000_000);
});

test('where tokens share a busy event loop, fewer and fewer may be at work, down to a few (promise B-09)', () => {
  const { world, workload, goOn } = makeWorkload();
  goOn(1);
  const works = Array.from({ length: 100 }, () => workload.begin());
  world.utilisation = 1;
  goOn(1);
  assert.equal(workload.capacity, 70 - 100);
  goOn(20);
  assert.equal(workload.capacity, 4 - 100);
  for (const work of works) work.end();
  assert.equal(workload.capacity, 4);
});

test('a token alone is bounded much later', () => {
  const { world, workload, goOn } = makeWorkload({ shared: false });
  goOn(1);
  for (let count = 0; count < 100; count++) workload.begin();
  world.utilisation = 1;
  goOn(40);
  assert.equal(workload.capacity, 40 - 100);
});

test('holds that wait for each other are pressure too, and a store that is slow by itself is none', () => {
  const { workload, begin } = makeWorkload();
  for (const work of begin(10, 20)) work.end();
  workload.sample();
  const works = begin(50, 60);
  workload.sample();
  assert.ok(workload.capacity > 1_000_000, 'three times as long is no crowd');
  for (const work of works) work.end();
  begin(50, 400);
  workload.sample();
  assert.equal(workload.capacity, 35 - 50);
});

test('when there is time again, more may be at work', () => {
  const { world, workload, begin, goOn } = makeWorkload();
  const works = begin(10);
  world.utilisation = 1;
  goOn(40);
  for (const work of works) work.end();
  assert.equal(workload.capacity, 4);
  world.utilisation = 0.3;
  goOn(2);
  assert.equal(workload.capacity, 9);
  goOn(200);
  assert.ok(workload.capacity > 1_000_000);
});

test('a request that waits for an upstream is not at work, and new capacity is announced', async () => {
  const { world, workload, begin } = makeWorkload();
  const [first, ...others] = begin(4);
  world.utilisation = 1;
  workload.sample();
  assert.ok(first !== undefined && workload.capacity === 0);
  const calls = world.calls;
  let answer: (text: string) => void = () => {};
  const away = first.away(new Promise<string>((resolve) => (answer = resolve)));
  assert.equal(workload.capacity, 1);
  assert.equal(world.calls, calls + 1);
  answer('here');
  assert.equal(await away, 'here');
  assert.equal(workload.capacity, 0);
  await assert.rejects(first.away(Promise.reject(new Error('broken'))));
  assert.equal(workload.capacity, 0);
  for (const work of [first, ...others]) {
    work.end();
    work.end();
  }
  assert.equal(workload.capacity, 4);
});

test('fewer at once must not cost much of the pace', () => {
  const { world, workload, begin, goOn } = makeWorkload();
  goOn(20);
  begin(30);
  world.utilisation = 1;
  goOn(3);
  const before = workload.capacity;
  assert.ok(before < 0);
  for (let sample = 0; sample < 6; sample++) workload.sample(); // nothing goes through any more
  assert.ok(workload.capacity > before);
});

test('what was seen before a rest fades as if it had been looked at all the time', () => {
  /** Of the first hundred samples under pressure, at a slower pace than before the rest. */
  const boundedSamples = (rest: (workload: Workload) => void): number => {
    const { world, workload, begin } = makeWorkload();
    const pace = (holds: number): void => {
      for (const work of begin(holds)) work.end();
      workload.sample();
    };
    for (let sample = 0; sample < 50; sample++) pace(500);
    rest(workload);
    for (let count = 0; count < 20; count++) workload.begin();
    world.utilisation = 1;
    let bounded = 0;
    for (let sample = 0; sample < 100; sample++) {
      pace(30);
      if (workload.capacity < 20) bounded++;
    }
    return bounded;
  };
  const looking = boundedSamples((workload) => {
    for (let sample = 0; sample < 36_000; sample++) workload.sample();
  });
  const resting = boundedSamples((workload) => workload.start(36_000));
  assert.equal(resting, looking);
  assert.ok(boundedSamples(() => {}) < looking / 2, 'without a rest the pace of before counts');
});

test('it is bounded until there is capacity for any number again', () => {
  const { world, workload, begin, goOn } = makeWorkload();
  begin(100);
  assert.equal(workload.isBounded, false);
  world.utilisation = 1;
  goOn(3);
  assert.equal(workload.isBounded, true);
  world.utilisation = 0.1;
  goOn(100);
  assert.equal(workload.isBounded, false);
});
