import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Catalogue } from './catalogue.ts';
import { LiveCatalogue } from './live-catalogue.ts';

const empty: Catalogue = { models: new Map(), groups: new Map(), flags: new Map(), channels: [], sandbox: true };

test('a refresh replaces the catalogue whole; who holds the one before keeps it', async () => {
  const live = await LiveCatalogue.open(async () => ({ ...empty }));
  const before = live.current;
  assert.equal(live.current, before);
  await live.refresh();
  assert.notEqual(live.current, before);
});

test('a refresh that fails says so and leaves the catalogue as it was', async () => {
  let failing = false;
  const live = await LiveCatalogue.open(async () => {
    if (failing) throw new Error('no connection');
    return { ...empty };
  });
  const before = live.current;
  failing = true;
  await assert.rejects(live.refresh(), /no connection/);
  assert.equal(live.current, before);
  failing = false;
  await live.refresh();
  assert.notEqual(live.current, before);
});

test('refreshes go one after another, so that the newest reading stays', async () => {
  const finish: (() => void)[] = [];
  let loads = 0;
  const live = await LiveCatalogue.open(async () => {
    loads += 1;
    const mine = { ...empty, sandbox: loads % 2 === 0 };
    if (loads > 1) await new Promise<void>((resolve) => finish.push(resolve));
    return mine;
  });
  const both = Promise.all([live.refresh(), live.refresh()]);
  await new Promise(setImmediate);
  assert.equal(loads, 2);
  finish[0]?.();
  await new Promise(setImmediate);
  assert.equal(loads, 3);
  finish[1]?.();
  await both;
  assert.equal(live.current.sandbox, false);
});
