import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEveryStore } from '../../testing/stores.ts';
import { KEPT_SECONDS, responseChannelKeys } from './responses.ts';

const START = 1_760_000_000_000;
const CHANNEL_KEY = { channelId: 'ch_1', keyId: 'key_1' };
const OTHER = { channelId: 'ch_2', keyId: 'key_2' };

onEveryStore((open) => {
  test('a response is found where it was made, by its own account alone', async () => {
    const channelKeys = responseChannelKeys(await open(), { now: () => START });
    await channelKeys.remember('acc_1', 'resp_1', CHANNEL_KEY);
    assert.deepEqual(await channelKeys.find('acc_1', 'resp_1'), CHANNEL_KEY);
    assert.equal(await channelKeys.find('acc_2', 'resp_1'), undefined);
    assert.equal(await channelKeys.find('acc_1', 'resp_2'), undefined);
    assert.equal(await channelKeys.find('acc_1', 'resp_\0'), undefined, 'which PostgreSQL takes in no text');
  });

  test('two accounts may have the same id from different upstreams', async () => {
    const channelKeys = responseChannelKeys(await open(), { now: () => START });
    await channelKeys.remember('acc_1', 'resp_1', CHANNEL_KEY);
    await channelKeys.remember('acc_2', 'resp_1', OTHER);
    assert.deepEqual(
      [await channelKeys.find('acc_1', 'resp_1'), await channelKeys.find('acc_2', 'resp_1')],
      [CHANNEL_KEY, OTHER],
    );
    await channelKeys.forget('acc_2', 'resp_1');
    assert.deepEqual(
      [await channelKeys.find('acc_1', 'resp_1'), await channelKeys.find('acc_2', 'resp_1')],
      [CHANNEL_KEY, undefined],
    );
  });

  test('the same id again moves to where it was made last', async () => {
    const channelKeys = responseChannelKeys(await open(), { now: () => START });
    await channelKeys.remember('acc_1', 'resp_1', CHANNEL_KEY);
    await channelKeys.remember('acc_1', 'resp_1', OTHER);
    assert.deepEqual(await channelKeys.find('acc_1', 'resp_1'), OTHER);
  });

  test('after 30 days it is not found any more, and the next one clears it away', async () => {
    const store = await open();
    let now = START;
    const channelKeys = responseChannelKeys(store, { now: () => now });
    await channelKeys.remember('acc_1', 'resp_1', CHANNEL_KEY);
    now += 1000 * (KEPT_SECONDS - 1);
    assert.deepEqual(await channelKeys.find('acc_1', 'resp_1'), CHANNEL_KEY);
    now += 1000;
    assert.equal(await channelKeys.find('acc_1', 'resp_1'), undefined);
    await channelKeys.remember('acc_1', 'resp_2', CHANNEL_KEY);
    const rows = await store.reads.selectFrom('responses').select('id').execute();
    assert.deepEqual(rows, [{ id: 'resp_2' }]);
  });
});
