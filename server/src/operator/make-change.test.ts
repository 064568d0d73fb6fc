import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesAfter, latestSequence } from '../store/queries/changes.ts';
import type { Store } from '../store/store.ts';
import { onEveryStore } from '../testing/stores.ts';
import { makeChange } from './make-change.ts';
import { makeOperatorApp } from './testing/operator-app.ts';

const UPSTREAM_KEY = 'sk-upstream-fixture-key-0001';
const PASSWORD = 'a fixture password';

const tables = [
  'accounts',
  'groups',
  'tokens',
  'token_keys',
  'channels',
  'channel_keys',
  'models',
  'flags',
  'holds',
  'ledger',
  'requests',
  'operators',
  'sessions',
  'audit',
  'changes',
  'processes',
  'meta',
] as const;

async function dump(store: Store): Promise<string> {
  let text = '';
  for (const table of tables) {
    const rows = await store.reads.selectFrom(table).selectAll().execute();
    text += JSON.stringify(rows, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  }
  return text;
}

onEveryStore((open) => {
  test('what was audited can be neither changed nor removed (promise A-13)', async () => {
    const { call, store } = await makeOperatorApp(await open());
    await call('POST', '/accounts', { name: 'Acme' });
    for (const change of [
      (): Promise<unknown> => store.transaction((x) => x.updateTable('audit').set({ operator: 'x' }).execute()),
      (): Promise<unknown> => store.transaction((x) => x.deleteFrom('audit').execute()),
    ])
      await assert.rejects(change, /append-only/);
    assert.equal((await call('GET', '/audit')).body.data.length, 1);
  });

  test('every change is audited and noticed once, in order (promise A-13)', async () => {
    const { call, store, changes } = await makeOperatorApp(await open());
    const { id } = (await call('POST', '/accounts', { name: 'Acme' })).body;
    await call('PATCH', `/accounts/${id}`, { name: 'Acme 2', group: 'default' });
    await call('PUT', '/groups/vip', {});
    await call('PUT', '/groups/vip', {});
    const { data } = (await call('GET', '/audit')).body;
    assert.deepEqual(
      data.map((entry: Record<string, unknown>) => [entry['operator'], entry['action'], entry['resource_id']]),
      [
        ['operator-key', 'group.create', 'vip'],
        ['operator-key', 'account.change', id],
        ['operator-key', 'account.create', id],
      ],
    );
    assert.deepEqual(data[1].detail, { name: { from: 'Acme', to: 'Acme 2' } });
    assert.equal((await call('GET', '/audit?action=group.create&resource=group')).body.data.length, 1);
    const notices = await changesAfter(store.reads, 0);
    assert.deepEqual(
      notices.map(({ sequence, kind, subject }) => [sequence, kind, subject]),
      [
        [1, 'account', id],
        [2, 'account', id],
        [3, 'catalogue', 'vip'],
      ],
    );
    assert.equal(await latestSequence(store.reads), 3);
    assert.equal(changes(), 3);
  });

  test('a change that fails leaves no row, no audit entry and no notice', async () => {
    const { call, store, clock } = await makeOperatorApp(await open());
    const work = makeChange(
      { store, clock, onChange: async () => assert.fail('applied') },
      'test',
      async (transaction) => {
        const row = { name: 'half', multiplier: '1', description: '', models: null };
        await transaction.insertInto('groups').values(row).execute();
        throw new Error('stop');
      },
    );
    await assert.rejects(work, /stop/);
    const unknowable = { toJSON: () => assert.fail('detail cannot be written') };
    const late = makeChange(
      { store, clock, onChange: async () => assert.fail('applied') },
      'test',
      async (transaction) => {
        const row = { name: 'late', multiplier: '1', description: '', models: null };
        await transaction.insertInto('groups').values(row).execute();
        return { answer: null, audit: { action: 'group.create', id: 'late', detail: unknowable }, notice: 'catalogue' };
      },
    );
    await assert.rejects(late);
    assert.equal((await call('POST', '/tokens', { account_id: 'acc_none', name: 'x' })).status, 400);
    assert.deepEqual(
      (await call('GET', '/groups')).body.data.map(({ name }: { name: string }) => name),
      ['default'],
    );
    assert.deepEqual((await call('GET', '/audit')).body.data, []);
    assert.deepEqual(await changesAfter(store.reads, 0), []);
  });

  test('parallel changes get a dense sequence', async () => {
    const { call, store } = await makeOperatorApp(await open());
    await Promise.all(Array.from({ length: 20 }, (_, i) => call('PUT', `/groups/g${i}`, {})));
    const notices = await changesAfter(store.reads, 5);
    assert.deepEqual(
      notices.map((notice) => notice.sequence),
      Array.from({ length: 15 }, (_, i) => i + 6),
    );
  });

  test('notices older than an hour are forgotten', async () => {
    const { call, store, clock } = await makeOperatorApp(await open());
    await call('PUT', '/groups/a', {});
    clock.move(3700);
    await call('PUT', '/groups/b', {});
    assert.deepEqual(
      (await changesAfter(store.reads, 0)).map((notice) => notice.sequence),
      [2],
    );
  });

  test('no secret is in the database, the audit log or an answer after the one that shows it', async () => {
    const { call, bare, store } = await makeOperatorApp(await open());
    const { id: account_id } = (await call('POST', '/accounts', { name: 'Acme' })).body;
    const token = (await call('POST', '/tokens', { account_id, name: 't' })).body;
    const rotated = (await call('POST', `/tokens/${token.id}/rotate`, {})).body;
    const channel = { name: 'c', provider: 'openai', base_url: 'https://h', keys: [UPSTREAM_KEY] };
    const { id } = (await call('POST', '/channels', channel)).body;
    await call('PATCH', `/channels/${id}`, { keys: [UPSTREAM_KEY], headers: { 'x-secret': 'fixture-header-value' } });
    await call('POST', '/operators', { name: 'root', password: PASSWORD, role: 'admin' });
    const signedIn = await bare('POST', '/session', { name: 'root', password: PASSWORD });
    const cookie = /tollgate_session=([^;]+)/.exec(String(signedIn.headers['set-cookie']))?.[1] ?? '';
    assert.ok(cookie.length >= 40);

    const text = await dump(store);
    const answers: string[] = [];
    for (const path of [
      '/accounts',
      '/tokens',
      `/tokens/${token.id}`,
      '/channels',
      `/channels/${id}`,
      '/operators',
      '/audit',
    ]) {
      const { headers: _, ...answer } = await call('GET', path);
      answers.push(
        path.startsWith('/channels')
          ? JSON.stringify(answer).replaceAll('fixture-header-value', '')
          : JSON.stringify(answer),
      );
    }
    for (const secret of [token.key, rotated.key, UPSTREAM_KEY, PASSWORD, cookie, signedIn.body.csrf_token]) {
      for (const form of [secret, Buffer.from(secret).toString('base64'), Buffer.from(secret).toString('hex')]) {
        assert.ok(!text.includes(form), 'in the database');
        assert.ok(!answers.join('').includes(form), 'in an answer');
      }
    }
    assert.ok(
      !JSON.stringify(await store.reads.selectFrom('audit').select('detail').execute()).includes(
        'fixture-header-value',
      ),
    );
  });
});
