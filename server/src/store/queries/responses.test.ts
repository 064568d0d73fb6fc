import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEveryStore } from '../../testing/stores.ts';
import { KEPT_SECONDS, responsePlaces } from './responses.ts';

const START = 1_760_000_000_000;
const PLACE = { channelId: 'ch_1', keyId: 'key_1' };
const OTHER = { channelId: 'ch_2', keyId: 'key_2' };

onEveryStore((open) => {
  test('a response is found where it was made, by its own account alone', async () => {
    const places = responsePlaces(await open(), { now: () => START });
    await places.remember('acc_1', 'resp_1', PLACE);
    assert.deepEqual(await places.find('acc_1', 'resp_1'), PLACE);
    assert.equal(await places.find('acc_2', 'resp_1'), undefined);
    assert.equal(await places.find('acc_1', 'resp_2'), undefined);
  });

  test('two accounts may have the same id from different upstreams', async () => {
    const places = responsePlaces(await open(), { now: () => START });
    await places.remember('acc_1', 'resp_1', PLACE);
    await places.remember('acc_2', 'resp_1', OTHER);
    assert.deepEqual([await places.find('acc_1', 'resp_1'), await places.find('acc_2', 'resp_1')], [PLACE, OTHER]);
    await places.forget('acc_2', 'resp_1');
    assert.deepEqual([await places.find('acc_1', 'resp_1'), await places.find('acc_2', 'resp_1')], [PLACE, undefined]);
  });

  test('the same id again moves to where it was made last', async () => {
    const places = responsePlaces(await open(), { now: () => START });
    await places.remember('acc_1', 'resp_1', PLACE);
    await places.remember('acc_1', 'resp_1', OTHER);
    assert.deepEqual(await places.find('acc_1', 'resp_1'), OTHER);
  });

  test('after 30 days it is not found any more, and the next one clears it away', async () => {
    const store = await open();
    let now = START;
    const places = responsePlaces(store, { now: () => now });
    await places.remember('acc_1', 'resp_1', PLACE);
    now += 1000 * (KEPT_SECONDS - 1);
    assert.deepEqual(await places.find('acc_1', 'resp_1'), PLACE);
    now += 1000;
    assert.equal(await places.find('acc_1', 'resp_1'), undefined);
    await places.remember('acc_1', 'resp_2', PLACE);
    const rows = await store.reads.selectFrom('responses').select('id').execute();
    assert.deepEqual(rows, [{ id: 'resp_2' }]);
  });
});
