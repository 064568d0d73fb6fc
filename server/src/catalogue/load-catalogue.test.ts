import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSecretBox } from '../shared/secret-box.ts';
import { sealHeaders } from '../shared/sealed-headers.ts';
import type { Store } from '../store/store.ts';
import type { ChannelsTable, ModelsTable } from '../store/tables.ts';
import { onEveryStore } from '../testing/stores.ts';
import { loadCatalogue } from './load-catalogue.ts';

const PRICE = '{"unit":"request","amount":"0.5"}';
const secretBox = makeSecretBox('a secret of the tests');
const on = {
  sandbox: true,
  sandboxBaseUrl: (provider: string) => `http://127.0.0.1:9/${provider}`,
  secretBox,
};
const off = { ...on, sandbox: false };

const model = (row: Partial<ModelsTable> & { id: string }): ModelsTable => ({
  owned_by: 'acme',
  endpoint_types: '["compat"]',
  price: PRICE,
  enabled: 1,
  flag: null,
  max_output_tokens: null,
  pass_unpriced: null,
  retires_at: null,
  sandbox: 0,
  created: 7,
  ...row,
});

const channel = (row: Partial<ChannelsTable> & { id: string }): ChannelsTable => ({
  name: row.id,
  provider: 'openai',
  base_url: 'https://upstream.example/v1',
  models: '{}',
  groups: null,
  priority: 0,
  weight: 1,
  status: 'enabled',
  headers: '{}',
  options: '{}',
  sandbox: 0,
  created_at: 7,
  ...row,
});

async function fill(store: Store): Promise<void> {
  await store.transaction(async (transaction) => {
    await transaction
      .insertInto('models')
      .values([
        model({
          id: 'vendor/model.v1:free',
          flag: 'beta',
          max_output_tokens: 4096,
          endpoint_types: '["compat","rerank"]',
        }),
        model({ id: 'dormant', price: null, enabled: 0 }),
        model({ id: 'sandbox-chat', sandbox: 1 }),
      ])
      .execute();
    await transaction
      .insertInto('groups')
      .values({ name: 'vip', multiplier: '0.85', description: '', models: '["vendor/*"]' })
      .execute();
    await transaction
      .insertInto('flags')
      .values({ name: 'beta', enabled: 1, accounts: '["acc"]', groups: '[]' })
      .execute();
    await transaction
      .insertInto('channels')
      .values([
        channel({
          id: 'c1',
          models: '{"vendor/model.v1:free":"upstream-name"}',
          groups: '["vip"]',
          priority: -3,
          weight: 5,
          status: 'disabled',
          headers: sealHeaders({ 'x-team': 'a' }, secretBox),
          options:
            '{"connect_ms":1,"idle_ms":2,"rpm":3,"drop_fields":["seed"],"speaks":["chat"],"archive":true,"concurrency":null}',
        }),
        channel({ id: 'c2', sandbox: 1, base_url: 'http://127.0.0.1:1/old' }),
      ])
      .execute();
    await transaction
      .insertInto('channel_keys')
      .values(
        [2, 0, 1].map((position) => ({
          id: `k${position}`,
          channel_id: 'c1',
          position,
          ciphertext: `sealed ${position}`,
          status: 'enabled' as const,
          hint: '',
        })),
      )
      .execute();
  });
}

onEveryStore((open) => {
  test('everything operators set up is read as they meant it', async () => {
    const store = await open();
    await fill(store);
    const catalogue = await loadCatalogue(store.reads, on);
    assert.deepEqual(catalogue.models.get('vendor/model.v1:free'), {
      id: 'vendor/model.v1:free',
      ownedBy: 'acme',
      endpointTypes: ['compat', 'rerank'],
      price: { unit: 'request', amount: 500_000_000n, text: PRICE },
      enabled: true,
      flag: 'beta',
      maxOutputTokens: 4096,
      passUnpriced: undefined,
      created: 7,
    });
    assert.equal(catalogue.models.get('dormant')?.enabled, false);
    assert.equal(catalogue.models.get('dormant')?.price, undefined);
    assert.deepEqual(catalogue.groups.get('vip'), {
      name: 'vip',
      multiplier: '0.85',
      multiplierNano: 850_000_000n,
      models: ['vendor/*'],
    });
    assert.deepEqual(catalogue.flags.get('beta'), { name: 'beta', enabled: true, accounts: ['acc'], groups: [] });
    assert.deepEqual(catalogue.channels[0], {
      id: 'c1',
      name: 'c1',
      provider: 'openai',
      baseUrl: 'https://upstream.example/v1',
      models: new Map([['vendor/model.v1:free', 'upstream-name']]),
      groups: ['vip'],
      priority: -3,
      weight: 5,
      enabled: false,
      sandbox: false,
      headers: { 'x-team': 'a' },
      options: {
        connectMs: 1,
        firstByteMs: 120_000,
        idleMs: 2,
        totalMs: 600_000,
        concurrency: undefined,
        rpm: 3,
        dropFields: ['seed'],
        speaks: ['chat'],
        archive: true,
        accountId: undefined,
        sharedObjects: false,
        proxy: undefined,
        apiVersion: undefined,
        region: undefined,
        project: undefined,
        location: undefined,
        tokenUrl: undefined,
      },
      keys: [0, 1, 2].map((position) => ({ id: `k${position}`, ciphertext: `sealed ${position}`, isDisabled: false })),
    });
  });

  test('an empty store still has the group "default" with multiplier 1, which a row replaces', async () => {
    const store = await open();
    const { groups, models, channels } = await loadCatalogue(store.reads, on);
    assert.deepEqual(
      [...groups.values()],
      [{ name: 'default', multiplier: '1', multiplierNano: 1_000_000_000n, models: undefined }],
    );
    assert.equal(models.size + channels.length, 0);
    await store.transaction((transaction) =>
      transaction
        .insertInto('groups')
        .values({ name: 'default', multiplier: '2', description: '', models: null })
        .execute(),
    );
    assert.equal((await loadCatalogue(store.reads, on)).groups.get('default')?.multiplierNano, 2_000_000_000n);
  });

  test('sandbox channels are reached where the sandbox listens now', async () => {
    const store = await open();
    await fill(store);
    const { channels, sandbox } = await loadCatalogue(store.reads, on);
    assert.equal(channels.find(({ id }) => id === 'c2')?.baseUrl, 'http://127.0.0.1:9/openai');
    assert.equal(sandbox, true);
  });

  test('with the sandbox off its channels and models do not exist (contract 1)', async () => {
    const store = await open();
    await fill(store);
    const { channels, models, sandbox } = await loadCatalogue(store.reads, off);
    assert.deepEqual(
      channels.map(({ id }) => id),
      ['c1'],
    );
    assert.deepEqual([...models.keys()].sort(), ['dormant', 'vendor/model.v1:free']);
    assert.equal(sandbox, false);
  });
});
