import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { type Member, IndexedSet } from './indexed-set.ts';

class Guest implements Member {
  index: number | undefined;
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

const namesIn = (set: IndexedSet<Guest>): string[] => Array.from(set, ({ name }) => name).toSorted();

test('knows who is there, in whatever order they come and go', () => {
  const set = new IndexedSet<Guest>();
  const there = new Set<Guest>();
  const guests = Array.from({ length: 40 }, (_, index) => new Guest(String(index)));
  for (let step = 0; step < 2_000; step++) {
    const guest = guests[(step * 7 + (step % 13) * 11) % guests.length] as Guest;
    if (step % 3 === 0) {
      set.delete(guest);
      there.delete(guest);
    } else {
      set.add(guest);
      there.add(guest);
    }
    assert.equal(set.size, there.size);
    assert.deepEqual(namesIn(set), Array.from(there, ({ name }) => name).toSorted());
  }
});

test('a member is on it once, and who is not on it cannot leave', () => {
  const set = new IndexedSet<Guest>();
  const [one, other] = [new Guest('one'), new Guest('other')];
  set.add(one);
  set.add(one);
  set.delete(other);
  assert.deepEqual(namesIn(set), ['one']);
  set.delete(one);
  set.delete(one);
  assert.equal(set.size, 0);
});

test('all members are seen, whichever come or go meanwhile', () => {
  const set = new IndexedSet<Guest>();
  const guests = ['a', 'b', 'c', 'd'].map((name) => new Guest(name));
  for (const guest of guests) set.add(guest);
  const seen: string[] = [];
  for (const guest of set) {
    seen.push(guest.name);
    set.delete(guest);
    set.delete(guests[2] as Guest);
    if (seen.length === 1) set.add(new Guest('late'));
  }
  assert.deepEqual(seen, ['a', 'b', 'c', 'd']);
  assert.deepEqual(namesIn(set), ['late']);
});

test('who has left is not kept by it: V8 seldom has to look through its whole heap', () => {
  const set = new URL('./indexed-set.ts', import.meta.url).href;
  const program = `
    import { PerformanceObserver, constants } from 'node:perf_hooks';
    import { IndexedSet } from ${JSON.stringify(set)};
    let whole = 0;
    new PerformanceObserver((list) => {
      for (const { detail } of list.getEntries()) if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) whole++;
    }).observe({ entryTypes: ['gc'] });
    const members = new IndexedSet();
    const there = [];
    for (let round = 0; round < 200; round++) {
      if (round === 1) gc(); // what is there becomes old
      for (let n = 0; n < 2_000; n++) {
        const member = { index: undefined, load: new Array(100).fill(n) };
        members.add(member);
        there.push(member);
        if (there.length > 64) members.delete(there.shift());
      }
      await new Promise(setImmediate);
    }
    console.log(whole);`;
  const args = ['--expose-gc', '--max-semi-space-size=8', '--input-type=module', '-e', program];
  const whole = Number(execFileSync(process.execPath, args, { encoding: 'utf8' }));
  assert.ok(whole >= 1 && whole <= 3, `${whole} whole collections, one of them asked for`); // 12 or 13 with a Set
});
