// backup, restore and move as a person does them (contract-2 11): whole and consistent. copy-killed.long.test.ts kills them.
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makeSecretBox } from '../../server/src/shared/secret-box.ts';
import { openSnapshot } from '../../server/src/store/copy/copy-store.ts';
import type { StoreSettings } from '../../server/src/store/open-store.ts';
import { makeDatabase } from '../../server/src/testing/stores.ts';
import { DATABASE_SERVER, NO_DATABASE_SERVER } from '../support/gateway.ts';
import { startProcess } from '../support/process.ts';
import { allRows } from './all-rows.ts';
import { runCli } from './run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-copy-'));
const file = join(folder, 'backup.gz');
const source = join(folder, 'source');
let key: string;
let fileId: string;

before(async () => {
  const gateway = await startProcess({ TOLLGATE_DATA_DIR: source, LOG_LEVEL: 'warn' });
  try {
    key = gateway.printed.demoToken ?? '';
    for (let call = 0; call < 5; call += 1) assert.equal((await chat(gateway.address)).status, 200);
    const form = new FormData();
    form.set('purpose', 'user_data');
    form.set('file', new Blob(['kept in the data folder']), 'note.txt');
    const headers = { authorization: `Bearer ${key}` };
    const upload = await fetch(`${gateway.address}/v1/files`, { method: 'POST', headers, body: form });
    fileId = ((await upload.json()) as { id: string }).id;
    // Calls go on while it is made.
    const over = new AbortController();
    const traffic = Promise.all(
      [1, 2, 3].map(async () => {
        while (!over.signal.aborted) await (await chat(gateway.address)).text();
      }),
    );
    const made = await runCli(['backup', file, '--json'], { TOLLGATE_DATA_DIR: source });
    over.abort();
    await traffic;
    assert.equal(made.code, 0, made.err);
    const facts = JSON.parse(made.out) as { rows: number; files: number; books: Record<string, string> };
    assert.equal(facts.files, 1);
    assert.equal(facts.books['granted'], '100000000000');
    assert.ok(Number(facts.books['entries']) >= 11, JSON.stringify(facts.books));
  } finally {
    await gateway.stop();
  }
});
after(() => rmSync(folder, { recursive: true, force: true }));

function chat(address: string): Promise<Response> {
  return fetch(`${address}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'sandbox-chat', messages: [{ role: 'user', content: 'Hello!' }] }),
  });
}

const inFolder = (name: string): StoreSettings => ({ databaseUrl: undefined, dataFolder: join(folder, name) });

test('a backup made under traffic is restored whole: keys, money and files work, and the secret stays apart', async () => {
  const target = join(folder, 'restored');
  assert.ok(!readFileSync(file).includes(readFileSync(join(source, 'secret'))));
  const done = await runCli(['restore', file], { TOLLGATE_DATA_DIR: target });
  assert.equal(done.code, 0, done.err);
  assert.match(done.out, /master secret is not in a backup/);
  assert.match(done.out, /granted 100, .*the books agree/);
  assert.ok(!existsSync(join(target, 'secret')));
  copyFileSync(join(source, 'secret'), join(target, 'secret'));
  const gateway = await startProcess({ TOLLGATE_DATA_DIR: target, LOG_LEVEL: 'warn' });
  try {
    assert.equal((await chat(gateway.address)).status, 200);
    const headers = { authorization: `Bearer ${key}` };
    const content = await fetch(`${gateway.address}/v1/files/${fileId}/content`, { headers });
    assert.equal(await content.text(), 'kept in the data folder');
    const running = await runCli(['restore', file, '--force'], { TOLLGATE_DATA_DIR: target });
    assert.equal(running.code, 1);
    assert.match(running.err, /a gateway works with this data/);
  } finally {
    await gateway.stop();
  }
  const books = await runCli(['reconcile'], { TOLLGATE_DATA_DIR: target });
  assert.equal(books.code, 0, books.err);
});

test('a backup is whole however the data folder is written (contract-2 11)', async () => {
  const written = join(folder, 'written.gz');
  for (const spelling of [`${folder}/./source`, `${source}/`, `${folder}/other/../source`]) {
    const made = await runCli(['backup', written, '--force'], { TOLLGATE_DATA_DIR: spelling });
    assert.equal(made.code, 0, made.err);
    const target = join(folder, 'restored-as-written');
    const done = await runCli(['restore', written, '--force'], { TOLLGATE_DATA_DIR: target });
    assert.equal(done.code, 0, `${spelling}: ${done.err}`);
    assert.match(done.out, /, 1 files\n/);
  }
});

test('a mistyped address is no folder to move to, and is not repeated', async () => {
  for (const to of [
    'postgre://user:hunter2@127.0.0.1/tollgate',
    'mysql://root:hunter2@db/x',
    'https://example.com/x',
  ]) {
    const { code, out, err } = await runCli(['move', '--to', to], { TOLLGATE_DATA_DIR: source });
    assert.equal(code, 1, out + err);
    assert.match(err, /--to must be postgres:\/\/\.\.\. or a folder/);
    assert.doesNotMatch(out + err, /hunter2/);
  }
});

test('data that is there is replaced only with --force, and a backup too', async () => {
  const target = join(folder, 'existing');
  assert.equal((await runCli(['restore', file], { TOLLGATE_DATA_DIR: target })).code, 0);
  const again = await runCli(['restore', file], { TOLLGATE_DATA_DIR: target });
  assert.equal(again.code, 1);
  assert.match(again.err, /exists; --force replaces it/);
  assert.equal((await runCli(['restore', file, '--force'], { TOLLGATE_DATA_DIR: target })).code, 0);
  const over = await runCli(['backup', file], { TOLLGATE_DATA_DIR: target });
  assert.equal(over.code, 1);
  assert.match(over.err, /exists; --force replaces it/);
});

test('a file that was cut, is none, or names a newer version is refused and changes nothing', async () => {
  const cut = join(folder, 'cut.gz');
  copyFileSync(file, cut);
  truncateSync(cut, readFileSync(file).length - 200);
  const target = join(folder, 'untouched');
  const broken = await runCli(['restore', cut], { TOLLGATE_DATA_DIR: target });
  assert.equal(broken.code, 1);
  assert.match(broken.err, /cannot be read to its end|ends too early/);
  assert.ok(!existsSync(join(target, 'tollgate.db')));
  writeFileSync(cut, 'hello');
  assert.match((await runCli(['restore', cut], { TOLLGATE_DATA_DIR: target })).err, /cannot be read|no backup/);
  assert.match((await runCli(['restore', join(folder, 'none')], { TOLLGATE_DATA_DIR: target })).err, /there is no/);
  const nothing = await runCli(['backup', join(folder, 'b.gz')], { TOLLGATE_DATA_DIR: join(folder, 'nothing') });
  assert.equal(nothing.code, 1);
  assert.match(nothing.err, /there is no/);
});

test('SQLite moves to PostgreSQL and back with every row', { skip: NO_DATABASE_SERVER }, async () => {
  const address = await makeDatabase(DATABASE_SERVER ?? '');
  const there = await runCli(['move', '--to', address, '--json'], { TOLLGATE_DATA_DIR: source });
  assert.equal(there.code, 0, there.err);
  const before = await allRows(inFolder('source'));
  assert.deepEqual(await allRows({ databaseUrl: address, dataFolder: source }), before);
  const refused = await runCli(['move', '--to', address], { TOLLGATE_DATA_DIR: source });
  assert.equal(refused.code, 1);
  assert.match(refused.err, /holds data of Tollgate; --force/);

  const gateway = await startProcess({ TOLLGATE_DATA_DIR: source, DATABASE_URL: address, LOG_LEVEL: 'warn' });
  try {
    assert.equal((await chat(gateway.address)).status, 200);
  } finally {
    await gateway.stop();
  }
  const back = join(folder, 'back');
  const moved = await runCli(['move', '--to', back], { TOLLGATE_DATA_DIR: source, DATABASE_URL: address });
  assert.equal(moved.code, 0, moved.err);
  assert.deepEqual(await allRows(inFolder('back')), await allRows({ databaseUrl: address, dataFolder: source }));
  assert.equal((await runCli(['reconcile'], { TOLLGATE_DATA_DIR: back })).code, 0);
});

/** Values of a store that a secret opens, as `table.column`. */
async function sealedWith(settings: StoreSettings, secret: string): Promise<Set<string>> {
  const box = makeSecretBox(secret);
  const opens = (work: () => unknown): boolean => {
    try {
      work();
      return true;
    } catch {
      return false;
    }
  };
  const found = new Set<string>();
  const snapshot = await openSnapshot(settings);
  for (const table of snapshot.tables)
    for await (const rows of snapshot.read(table))
      for (const row of rows)
        for (const [index, value] of row.entries()) {
          const texts = typeof value === 'string' ? (value.match(/\bv1\.[\w-]{38,}/g) ?? []) : [];
          const isSealed =
            texts.some((text) => opens(() => box.open(text))) ||
            (value instanceof Uint8Array && opens(() => box.openBytes(value)));
          if (isSealed) found.add(`${table.name}.${table.columns[index]}`);
        }
  await snapshot.close();
  return found;
}

test('a restore without its master secret: doctor says so, a start is refused and leaves no other one behind (contract-2 11)', async () => {
  const target = join(folder, 'without-secret');
  const data = { TOLLGATE_DATA_DIR: target, PORT: '0' };
  assert.equal((await runCli(['restore', file], data)).code, 0);
  const looked = await runCli(['doctor'], data);
  assert.equal(looked.code, 1);
  assert.match(looked.out, /^FAIL {2}secret +there is none, .*\n.*-> Set TOLLGATE_SECRET/m);
  await assert.rejects(startProcess({ ...data, LOG_LEVEL: 'warn' }), /TOLLGATE_SECRET is not the one/);
  assert.match((await runCli(['change-secret'], data)).err, /^tollgate: TOLLGATE_SECRET is not set, and/);
  assert.ok(!existsSync(join(target, 'secret')));
  copyFileSync(join(source, 'secret'), join(target, 'secret'));
  assert.match((await runCli(['doctor'], data)).out, /^ok {4}secret/m);
});

test('the master secret is changed by a command: nothing is left that the old one opens', async () => {
  const target = join(folder, 'resealed');
  const data = { TOLLGATE_DATA_DIR: target };
  assert.equal((await runCli(['restore', file], data)).code, 0);
  copyFileSync(join(source, 'secret'), join(target, 'secret'));
  const old = readFileSync(join(source, 'secret'), 'utf8').trim();
  const operator = { TOLLGATE_OPERATOR_KEY: 'operator-key-of-this-test' };
  const before = await startProcess({ ...data, ...operator, LOG_LEVEL: 'warn' });
  const call = async (method: string, path: string, body?: unknown): Promise<Response> => {
    const answer = await fetch(`${before.address}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${path.startsWith('/v1') ? key : operator.TOLLGATE_OPERATOR_KEY}`,
        'content-type': 'application/json',
        'idempotency-key': path,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    assert.ok(answer.ok, await answer.clone().text());
    return answer;
  };
  try {
    const accounts = (await (await call('GET', '/operator/v1/accounts')).json()) as { data: { id: string }[] };
    await call('PUT', `/operator/v1/accounts/${accounts.data[0]?.id}/webhook`, { url: 'https://example.com/hook' });
    await call('POST', '/operator/v1/alerts/sinks', {
      name: 'hook',
      kind: 'webhook',
      url: 'https://example.com/alerts',
    });
    const tokens = (await (await call('GET', '/operator/v1/tokens')).json()) as { data: { id: string }[] };
    await call('PATCH', `/operator/v1/tokens/${tokens.data[0]?.id}`, { options: { store_bodies: 'all' } });
    await call('POST', '/operator/v1/channels', {
      name: 'sealed',
      provider: 'openai',
      base_url: 'https://api.example.com/v1',
      keys: ['sk-upstream'],
      models: {},
      headers: { 'x-team': 'a header value of this team' },
      options: { proxy: 'http://user:password@proxy.example.com:3128' },
    });
    await call('POST', '/v1/chat/completions', { model: 'sandbox-chat', messages: [{ role: 'user', content: 'Hi' }] });
    await call('POST', '/v1/responses', { model: 'sandbox-messages', input: 'Hi' });
  } finally {
    await before.stop();
  }
  const columns = await sealedWith(inFolder('resealed'), old);
  for (const name of [
    'meta.value',
    'channel_keys.ciphertext',
    'channels.headers',
    'channels.options',
    'webhooks.secret',
    'alert_sinks.secret',
  ])
    assert.ok(columns.has(name), `${name} is not sealed: ${[...columns].join()}`);
  assert.ok(columns.has('kept_responses.sealed') && columns.has('idempotency.head'), [...columns].join());

  const refused = await runCli(['change-secret'], { ...data, TOLLGATE_SECRET: 'x'.repeat(20) });
  assert.equal(refused.code, 1);
  assert.match(refused.err, /--to <file>/);
  const changed = await runCli(['change-secret'], data);
  assert.equal(changed.code, 0, changed.err);
  const next = readFileSync(join(target, 'secret'), 'utf8').trim();
  assert.notEqual(next, old);
  assert.deepEqual(await sealedWith(inFolder('resealed'), old), new Set());
  assert.deepEqual(await sealedWith(inFolder('resealed'), next), columns);
  const gateway = await startProcess({ ...data, LOG_LEVEL: 'warn' });
  try {
    assert.equal((await chat(gateway.address)).status, 200);
  } finally {
    await gateway.stop();
  }

  // To one of the operator's own.
  const own = join(folder, 'own-secret');
  writeFileSync(own, 'a secret of the operator\n');
  const given = await runCli(['change-secret', '--to', own], data);
  assert.equal(given.code, 0, given.err);
  assert.deepEqual(await sealedWith(inFolder('resealed'), 'a secret of the operator'), columns);
  const again = await runCli(['change-secret', '--to', own, '--json'], data);
  assert.deepEqual([again.code, JSON.parse(again.out)], [0, { values: 0, file: null }], again.err);
});
