import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeOrderedId } from '../shared/ids.ts';
import { wait } from '../shared/wait.ts';
import { requestRow } from '../testing/fixtures.ts';
import { onEveryStore } from '../testing/stores.ts';
import type { Store } from './store.ts';

const DAY_MS = 86_400_000;

async function changes(store: Store): Promise<Map<string, bigint>> {
  const rows = await store.reads.selectFrom('requests').select(['id', 'change']).orderBy('change').execute();
  return new Map(rows.map(({ id, change }) => [id, change]));
}

onEveryStore((open, dialect) => {
  test('every line of the request log gets a number of its own, in the order of writing (contract-2 12)', async () => {
    const store = await open();
    const ids = Array.from({ length: 40 }, (_, index) => `req_${index}`);
    await Promise.all(ids.map((id) => store.commit({ kind: 'log', request: requestRow({ id }) })));
    await store.commit({ kind: 'log', request: requestRow({ id: 'req_late' }) });
    const numbers = await changes(store);
    assert.equal(new Set(numbers.values()).size, 41);
    assert.equal([...numbers.keys()].at(-1), 'req_late');
    assert.ok([...numbers.values()].every((number) => number > 0n));
    assert.equal(await store.committedUpTo('requests'), numbers.get('req_late'));
  });

  test('a line that is changed gets a new number, and one sent again does not (contract-2 12)', async () => {
    const store = await open();
    for (const id of ['req_1', 'req_2']) await store.commit({ kind: 'log', request: requestRow({ id }) });
    const before = await changes(store);
    await store.commit({ kind: 'log', request: requestRow({ id: 'req_2', charge: 9n }) });
    assert.deepEqual(await changes(store), before);
    await store.transaction((transaction) =>
      transaction.updateTable('requests').set({ charge: 8n }).where('id', '=', 'req_1').execute(),
    );
    const after = await changes(store);
    assert.deepEqual([...after.keys()], ['req_2', 'req_1']);
    assert.equal(await store.committedUpTo('requests'), after.get('req_1'));
  });

  test('old lines leave the store only after they are exported (contract-2 12)', async () => {
    const store = await open();
    const old = Array.from({ length: 3 }, () => makeOrderedId('req', Date.now() - 20 * DAY_MS));
    for (const id of old) await store.commit({ kind: 'log', request: requestRow({ id }) });
    const young = makeOrderedId('req', Date.now());
    await store.commit({ kind: 'log', request: requestRow({ id: young }) });
    const left = async () => [...(await changes(store)).keys()];
    const keep = async (exported: bigint) => {
      while (await store.keepRequests(10, exported)) await wait(0);
      return left();
    };
    const numbers = await changes(store);
    assert.deepEqual(await keep(-1n), [...old, young], 'nothing is exported');
    const first = numbers.get(old[0] ?? '') ?? 0n;
    if (dialect === 'sqlite') assert.deepEqual(await keep(first), [...old.slice(1), young]);
    else assert.deepEqual(await keep(first), await left());
  });

  test('a number is never given twice, also when all lines are forgotten', async () => {
    const store = await open();
    const old = makeOrderedId('req', Date.now() - 400 * DAY_MS);
    await store.commit({ kind: 'log', request: requestRow({ id: old }) });
    const before = await store.committedUpTo('requests');
    while (await store.keepRequests(10)) await wait(0);
    await store.commit({ kind: 'log', request: requestRow({ id: 'req_new' }) });
    assert.ok(((await changes(store)).get('req_new') ?? 0n) > before);
  });
});
