import assert from 'node:assert/strict';
import { test } from 'node:test';
import { modelPut } from '#contract/models.ts';
import { prepareData } from './first-start.ts';
import { putModel } from '../operator/records/models.ts';
import { systemClock } from '../shared/clock.ts';
import { makeSecretBox } from '../shared/secret-box.ts';
import type { Store } from '../store/store.ts';
import { onEveryStore } from '../testing/stores.ts';

const start = (store: Store, port = 1) =>
  prepareData({
    store,
    clock: systemClock,
    secretBox: makeSecretBox('a master secret for the tests of first start'),
    sandboxUrl: (provider) => `http://127.0.0.1:${port}${provider === 'beta-video' ? '/api/v3' : ''}`,
    password: 'chosen by the operator',
  });

const readChannel = async (store: Store, provider: string) => {
  const [row, ...more] = await store.reads
    .selectFrom('channels')
    .selectAll()
    .where('provider', '=', provider)
    .execute();
  assert.ok(row !== undefined && more.length === 0);
  return { ...row, models: JSON.parse(row.models) as Record<string, string> };
};

onEveryStore((open) => {
  test('the sandbox offers every video model of spec 2.5 and 2.6, behind all other channels', async () => {
    const store = await open();
    await start(store);
    const alpha = await readChannel(store, 'alpha');
    assert.partialDeepStrictEqual(alpha, { name: 'sandbox-alpha', base_url: 'http://127.0.0.1:1', sandbox: 1 });
    assert.deepEqual(alpha.models, {
      'alpha-1.1-t2v': 'happyhorse-1.1-t2v',
      'alpha-1.1-i2v': 'happyhorse-1.1-i2v',
      'alpha-1.1-r2v': 'happyhorse-1.1-r2v',
      'alpha-1.0-t2v': 'happyhorse-1.0-t2v',
      'alpha-1.0-i2v': 'happyhorse-1.0-i2v',
      'alpha-1.0-r2v': 'happyhorse-1.0-r2v',
      'alpha-1.0-video-edit': 'happyhorse-1.0-video-edit',
    });
    const beta = await readChannel(store, 'beta-video');
    assert.partialDeepStrictEqual(beta, { name: 'sandbox-beta-video', base_url: 'http://127.0.0.1:1/api/v3' });
    assert.deepEqual(beta.models, {
      'beta-1-0-lite-t2v': 'doubao-seedance-1-0-lite-t2v',
      'beta-1-0-lite-i2v': 'doubao-seedance-1-0-lite-i2v',
      'beta-1-0-pro-250528': 'doubao-seedance-1-0-pro-250528',
      'beta-1-5-pro-251215': 'doubao-seedance-1-5-pro-251215',
      'beta-2-0-260128': 'doubao-seedance-2-0-260128',
      'beta-2-0-fast-260128': 'doubao-seedance-2-0-fast-260128',
    });
    assert.ok(alpha.priority < 0 && beta.priority < 0);
    const models = await store.reads.selectFrom('models').selectAll().where('sandbox', '=', 1).execute();
    const prices = new Map(models.map(({ id, price }) => [id, JSON.parse(price ?? 'null') as unknown]));
    assert.deepEqual(prices.get('alpha-1.1-t2v'), {
      unit: 'second',
      amount: '0.14',
      resolution: { '720P': '1', '1080P': '1.78' },
    });
    assert.deepEqual(prices.get('beta-1-0-lite-t2v'), { unit: 'video_tokens', generate: '7', video_input: '4.3' });
  });

  test('a second start follows the sandbox to its new port and makes nothing twice', async () => {
    const store = await open();
    await start(store);
    assert.equal(await start(store, 2), undefined);
    assert.equal((await readChannel(store, 'alpha')).base_url, 'http://127.0.0.1:2');
  });

  test('a model that an operator has put keeps its price and is not served by the sandbox', async () => {
    const store = await open();
    const own = modelPut.parse({ price: { unit: 'request', amount: '9' } });
    await store.transaction((transaction) => putModel(transaction, { ...own, id: 'alpha-1.1-t2v' }, 1));
    await start(store);
    const row = await store.reads.selectFrom('models').selectAll().where('id', '=', 'alpha-1.1-t2v').executeTakeFirst();
    assert.deepEqual([row?.price, row?.sandbox], [JSON.stringify(own.price), 0]);
    assert.equal((await readChannel(store, 'alpha')).models['alpha-1.1-t2v'], undefined);
  });
});
