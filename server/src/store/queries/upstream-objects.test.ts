import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEveryStore } from '../../testing/stores.ts';
import { forgetObjects, type MadeObject, upstreamObjects } from './upstream-objects.ts';

const START = 1_760_000_000;
const CHANNEL_KEY = { channelId: 'ch_1', keyId: 'key_1' };
const OTHER = { channelId: 'ch_2', keyId: 'key_2' };

onEveryStore((open) => {
  test('an object is known to the account that made it, with its channel key, and to no other (contract-2 7)', async () => {
    const objects = upstreamObjects(await open(), { now: () => START * 1000 });
    await objects.remember(
      'acc_1',
      [
        { id: 'msg_1', kind: 'item' },
        { id: 'msg_1', kind: 'item' },
        { id: 'cntr_1', kind: 'container' },
      ],
      CHANNEL_KEY,
    );
    await objects.remember('acc_2', [{ id: 'cntr_1', kind: 'container' }], OTHER);
    assert.deepEqual(
      [...(await objects.find('acc_1', ['msg_1', 'cntr_1', 'msg_2', 'x'.repeat(5_000)]))].sort(([a], [b]) =>
        b.localeCompare(a),
      ),
      [
        ['msg_1', CHANNEL_KEY],
        ['cntr_1', CHANNEL_KEY],
      ],
    );
    assert.deepEqual([...(await objects.find('acc_2', ['msg_1', 'cntr_1']))], [['cntr_1', OTHER]]);
    assert.equal((await objects.find('acc_3', [])).size, 0);
  });

  test('many are written and found at once, ids are stored as hashes, and what has had its time is forgotten', async () => {
    const store = await open();
    let now = START;
    const objects = upstreamObjects(store, { now: () => now * 1000 });
    const made = Array.from({ length: 450 }, (_, index): MadeObject => ({ id: `msg_${index}`, kind: 'item' }));
    await objects.remember('acc_1', [...made, { id: 'file_1', kind: 'file' }], CHANNEL_KEY);
    const ids = [...made.map(({ id }) => id), 'file_1'];
    assert.equal((await objects.find('acc_1', ids)).size, 451);
    assert.doesNotMatch(JSON.stringify(await store.reads.selectFrom('upstream_objects').selectAll().execute()), /msg_/);
    assert.equal(await forgetObjects(store, now), false);
    now += 31 * 24 * 3600;
    assert.deepEqual([...(await objects.find('acc_1', ids)).keys()], ['file_1']);
    const steps: boolean[] = [];
    do steps.push(await forgetObjects(store, now));
    while (steps.at(-1) === true);
    assert.deepEqual(steps, [true, true, false]);
    assert.equal((await store.reads.selectFrom('upstream_objects').select('kind').execute()).length, 1);
  });
});
