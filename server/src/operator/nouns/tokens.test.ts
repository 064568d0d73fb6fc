import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashAccessToken } from '../../access/access-token.ts';
import type { Store } from '../../store/store.ts';
import { onEveryStore } from '../../testing/stores.ts';
import { makeOperatorApp, type OperatorTestApp, START } from '../testing/operator-app.ts';

const AT = START / 1000;

async function withToken(store: Store): Promise<OperatorTestApp & { accountId: string; id: string; key: string }> {
  const app = await makeOperatorApp(store);
  const accountId = (await app.call('POST', '/accounts', { name: 'Acme' })).body.id;
  const { id, key } = (await app.call('POST', '/tokens', { account_id: accountId, name: 'app', rate: { rpm: 5 } }))
    .body;
  return { ...app, accountId, id, key };
}

async function keysOf(store: Store, id: string) {
  return store.reads.selectFrom('token_keys').selectAll().where('token_id', '=', id).orderBy('ends_at').execute();
}

/** Hashes of keys that work for some clock. */
async function usableKeysOf(store: Store, id: string): Promise<string[]> {
  return (await keysOf(store, id)).filter(({ ends_at: end }) => end !== 0).map((row) => row.key_hash);
}

onEveryStore((open) => {
  test('a token is created with the defaults of the contract and shows its key once', async () => {
    const { call, store, id, key, accountId } = await withToken(await open());
    assert.match(key, /^sk-[0-9A-Za-z]{40,}$/);
    const read = (await call('GET', `/tokens/${id}`)).body;
    assert.deepEqual(read, {
      id,
      account_id: accountId,
      name: 'app',
      models: null,
      group: null,
      ip_allow: [],
      origins: [],
      quota: null,
      quota_period: null,
      period_start: AT,
      period_used: '0',
      rate: { rpm: 5, tpm: null, concurrency: null },
      expires_at: null,
      mode: 'live',
      status: 'enabled',
      options: { strict: false, fit_balance: false, store_bodies: 'off' },
      used: '0',
      held: '0',
      key_hint: `${key.slice(0, 5)}...${key.slice(-4)}`,
      created_at: AT,
      etag: read.etag,
    });
    assert.deepEqual((await call('GET', `/tokens?account_id=${accountId}`)).body.data, [read]);
    assert.deepEqual((await call('GET', '/tokens?mode=test')).body.data, []);
    assert.deepEqual(await keysOf(store, id), [
      { key_hash: hashAccessToken(key), token_id: id, ends_at: null, created_at: AT },
    ]);
  });

  test('a key that clients already have, or its hash, is taken over (contract-2 10)', async () => {
    const { call, store, accountId } = await withToken(await open());
    const create = (more: object) => call('POST', '/tokens', { account_id: accountId, name: 'moved', ...more });
    const key = 'old-key,1';
    const made = await create({ key });
    assert.equal(made.status, 201);
    assert.equal(made.body.key, key);
    assert.equal(made.body.key_hint, 'ol...');
    assert.equal((await keysOf(store, made.body.id))[0]?.key_hash, hashAccessToken(key));

    const hashed = await create({ key_hash: `sha256:${hashAccessToken('sk-another').toUpperCase()}` });
    assert.equal(hashed.status, 201);
    assert.equal(hashed.body.key, null);
    assert.equal((await keysOf(store, hashed.body.id))[0]?.key_hash, hashAccessToken('sk-another'));

    const found = (await call('GET', `/tokens?key_hash=sha256:${hashAccessToken(key)}`)).body.data;
    assert.deepEqual(
      found.map((one: { id: string }) => one.id),
      [made.body.id],
    );
    assert.deepEqual((await call('GET', `/tokens?key_hash=sha256:${'0'.repeat(64)}`)).body.data, []);

    for (const [more, status, param] of [
      [{ key }, 409, 'key'],
      [{ key_hash: `sha256:${hashAccessToken(key)}` }, 409, 'key_hash'],
      [{ key: 'seven77' }, 400, 'key'],
      [{ key: 'x'.repeat(201) }, 400, 'key'],
      [{ key: 'with space' }, 400, 'key'],
      [{ key: 'ключ-ключ' }, 400, 'key'],
      [{ key_hash: 'sha256:12' }, 400, 'key_hash'],
      [{ key_hash: 'a'.repeat(64) }, 400, 'key_hash'],
      [{ key: 'long enough'.replace(' ', '-'), key_hash: `sha256:${'a'.repeat(64)}` }, 400, 'key_hash'],
    ] as const) {
      const refused = await create(more);
      assert.deepEqual([refused.status, refused.body.error.param], [status, param], JSON.stringify(more));
    }
  });

  test('addresses that are unset allow any, as at the creation', async () => {
    const { call, id } = await withToken(await open());
    await call('PATCH', `/tokens/${id}`, { ip_allow: ['10.0.0.0/8'] });
    assert.deepEqual((await call('PATCH', `/tokens/${id}`, { ip_allow: null })).body.ip_allow, []);
  });

  test('a quota of a period counts from when it is set again: nobody counted meanwhile', async () => {
    const { call, store, id } = await withToken(await open());
    const path = `/tokens/${id}`;
    await call('PATCH', path, { quota: '10', quota_period: 'day' });
    await store.transaction((work) => work.updateTable('tokens').set({ period_used: 5n }).execute());
    const used = async (quota: string | null): Promise<string> =>
      (await call('PATCH', path, { quota, quota_period: 'day' })).body.period_used;
    assert.equal(await used('20'), '0.000000005', 'another limit changes nothing');
    assert.equal(await used(null), '0.000000005');
    assert.equal(await used('20'), '0');
  });

  test('a patch changes only the given fields, inside rate too', async () => {
    const { call, id } = await withToken(await open());
    const path = `/tokens/${id}`;
    const all = {
      name: 'other',
      models: ['gpt-4o', 'claude-*'],
      group: 'vip',
      ip_allow: ['10.0.0.0/8', '::1', '2001:db8::/32', '192.0.2.7'],
      quota: '12.5',
      rate: { tpm: 1000 },
      expires_at: AT + 60,
      mode: 'test',
      status: 'disabled',
    };
    const changed = await call('PATCH', path, all);
    assert.equal(changed.status, 200);
    assert.deepEqual({ ...changed.body, rate: { tpm: 1000 } }, { ...changed.body, ...all });
    assert.deepEqual(changed.body.rate, { rpm: 5, tpm: 1000, concurrency: null });
    const unset = await call('PATCH', path, { models: null, group: null, quota: null, rate: null, expires_at: null });
    assert.deepEqual(unset.body.rate, { rpm: null, tpm: null, concurrency: null });
    assert.deepEqual(
      [unset.body.models, unset.body.group, unset.body.quota, unset.body.expires_at],
      [null, null, null, null],
    );
    assert.equal(unset.body.name, 'other');
  });

  test('what is wrong is refused naming the field', async () => {
    const { call, accountId } = await withToken(await open());
    const wrong: [object, string][] = [
      [{ account_id: 'acc_none' }, 'account_id'],
      [{ name: undefined }, 'name'],
      [{ quota: 5 }, 'quota'],
      [{ quota: '-1' }, 'quota'],
      [{ ip_allow: ['10.0.0.0/33'] }, 'ip_allow.0'],
      [{ ip_allow: ['here'] }, 'ip_allow.0'],
      [{ origins: ['https://app.example/'] }, 'origins.0'],
      [{ rate: { rpm: 0 } }, 'rate.rpm'],
      [{ rate: { rpm: 1.5 } }, 'rate.rpm'],
      [{ rate: { rph: 1 } }, 'rate.rph'],
      [{ expires_at: '2030-01-01' }, 'expires_at'],
      [{ key: 'sk-mine' }, 'key'],
      [{ used: '0' }, 'used'],
    ];
    for (const [fields, param] of wrong) {
      const { status, body } = await call('POST', '/tokens', { account_id: accountId, name: 'x', ...fields });
      assert.equal(status, 400, param);
      assert.equal(body.error.param, param);
    }
    assert.equal((await call('GET', '/tokens')).body.data.length, 1);
    for (const path of ['/tokens/tok_none', '/tokens/tok_none/rotate']) {
      assert.equal((await call(path.endsWith('rotate') ? 'POST' : 'PATCH', path, {})).status, 404);
    }
  });

  test('a rotation gives a new key and ends the old one at once, or after the grace', async () => {
    const { call, store, id, key } = await withToken(await open());
    const second = await call('POST', `/tokens/${id}/rotate`, { grace_seconds: 60 });
    assert.equal(second.status, 200);
    assert.notEqual(second.body.key, key);
    const keys = await keysOf(store, id);
    const endings = new Map(keys.map((row) => [row.key_hash, row.ends_at]));
    assert.deepEqual(
      endings,
      new Map([
        [hashAccessToken(key), AT + 60],
        [hashAccessToken(second.body.key), null],
      ]),
    );
    const third = await call('POST', `/tokens/${id}/rotate`);
    assert.equal(third.status, 200);
    assert.deepEqual(await usableKeysOf(store, id), [hashAccessToken(third.body.key)]);
    assert.equal((await call('POST', `/tokens/${id}/rotate`, { grace_seconds: -1 })).body.error.param, 'grace_seconds');
  });

  test('a deleted token is disabled and has no key left; its record stays', async () => {
    const { call, store, id, key, accountId } = await withToken(await open());
    assert.equal((await call('DELETE', `/tokens/${id}`)).status, 204);
    assert.equal((await call('GET', `/tokens/${id}`)).body.status, 'disabled');
    assert.deepEqual(await usableKeysOf(store, id), []);
    assert.equal((await call('DELETE', '/tokens/tok_none')).status, 404);
    const refused = await call('POST', `/tokens/${id}/rotate`);
    assert.deepEqual([refused.status, refused.body.error.code], [409, 'conflict']);
    assert.deepEqual(await usableKeysOf(store, id), []);
    assert.equal((await call('PATCH', `/tokens/${id}`, { status: 'enabled' })).status, 200);
    assert.equal((await call('POST', `/tokens/${id}/rotate`)).status, 200);
    // Its key is known to be of a token that ended, and may be given to another on purpose.
    const known = await call('GET', `/tokens?key_hash=sha256:${hashAccessToken(key)}`);
    assert.deepEqual(
      known.body.data.map((token: { id: string }) => token.id),
      [id],
    );
    const other = await call('POST', '/tokens', { account_id: accountId, name: 'other', key });
    assert.equal(other.status, 201, JSON.stringify(other.body));
    assert.deepEqual(await usableKeysOf(store, other.body.id), [hashAccessToken(key)]);
    assert.equal((await call('POST', '/tokens', { account_id: accountId, name: 'third', key })).status, 409);
  });

  test('an end that is no Unix time is refused with an example', async () => {
    const { call, id } = await withToken(await open());
    for (const expires_at of ['2027-01-01', Date.now(), 1.5, -1]) {
      const { status, body } = await call('PATCH', `/tokens/${id}`, { expires_at });
      assert.deepEqual([status, body.error.param], [400, 'expires_at']);
      assert.match(body.error.message, /^"expires_at" must be a time in Unix seconds, such as \d+/);
    }
  });
});
