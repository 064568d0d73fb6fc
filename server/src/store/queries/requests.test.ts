import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeOrderedId } from '../../shared/ids.ts';
import { requestRow } from '../../testing/fixtures.ts';
import { onEveryStore } from '../../testing/stores.ts';
import type { Store } from '../store.ts';
import { listRequests, type RequestListing } from './requests.ts';

const NOW = Math.floor(Date.now() / 1000);
const HOUR = 3600;

/** The time of a batch line is the one it ran at, that in its id the one of the submit. */
async function log(store: Store, prefix: string, at: number, { name = '', ran = at } = {}): Promise<string> {
  const id = `${makeOrderedId(prefix, at * 1000)}${name}`;
  await store.commit({ kind: 'log', request: requestRow({ id, created_at: ran, model: 'm' }) });
  return id;
}

onEveryStore((open) => {
  test('lines of batches stand among the requests by their time, on every page (contract-2 8)', async () => {
    const store = await open();
    const old = await log(store, 'req', NOW - 9 * HOUR);
    const line = await log(store, 'batch', NOW - 8 * HOUR, { name: '/one_ü' });
    const middle = await log(store, 'req', NOW - 7 * HOUR);
    const message = await log(store, 'msgbatch', NOW - 6 * HOUR, { name: '/two' });
    const newest = await log(store, 'req', NOW - 5 * HOUR);
    const all = [newest, message, middle, line, old];
    const list = async (listing: Partial<RequestListing>): Promise<string[]> =>
      (await listRequests(store.reads, { limit: 10, ...listing })).map(({ id }) => id);
    assert.deepEqual(await list({}), all);
    assert.deepEqual(await list({ model: 'm', accountId: 'acc', limit: 3 }), all.slice(0, 3));
    for (const [index, after] of all.entries())
      assert.deepEqual(await list({ after, limit: 2 }), all.slice(index + 1, index + 3));
    assert.deepEqual(await list({ id: line }), [line]);
  });

  test('a range of time finds the lines of batches that ran in it, though they were submitted before (contract-2 8)', async () => {
    const store = await open();
    await log(store, 'batch', NOW - 30 * HOUR, { name: '/before', ran: NOW - 20 * HOUR });
    const line = await log(store, 'batch', NOW - 30 * HOUR, { name: '/in', ran: NOW - 8 * HOUR });
    const request = await log(store, 'req', NOW - 9 * HOUR);
    await log(store, 'msgbatch', NOW - 2 * HOUR, { name: '/later' });
    const rows = await listRequests(store.reads, { from: NOW - 10 * HOUR, to: NOW - 3 * HOUR, limit: 10 });
    assert.deepEqual(
      rows.map(({ id }) => id),
      [request, line],
    );
  });
});
