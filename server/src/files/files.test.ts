import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { fakeForm, type FakeValue } from '../testing/fake-form.ts';
import { onEveryStore } from '../testing/stores.ts';
import { readBlob } from './blob-store.ts';
import { fileObject, listOwnFiles } from './file-object.ts';
import { getOwnFile } from './file-dependencies.ts';
import { FileSweeper } from './file-sweeper.ts';
import { FolderBlobs } from './folder-blobs.ts';
import { keepFile, removeFile } from './keep-file.ts';
import { openFile } from './open-file.ts';
import { readUpload } from './read-upload.ts';

const NOTHING_ASKED = { range: undefined, ifRange: undefined, ifNoneMatch: undefined, ifModifiedSince: undefined };

onEveryStore((open) => {
  async function prepare(t: TestContext, { accountBytes = 1_000 } = {}) {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-files-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const clock = { ms: Date.now(), now: () => clock.ms };
    const store = await open();
    const dependencies = {
      store,
      blobs: new FolderBlobs(folder),
      clock,
      maxFileBytes: 100,
      maxAccountBytes: accountBytes,
    };
    const upload = (accountId: string, fields: [string, FakeValue][]) =>
      keepFile(dependencies, { accountId, tokenId: 'tok', ...readUpload(fakeForm(fields)) });
    const text = (accountId: string, content: string, more: [string, FakeValue][] = []) =>
      upload(accountId, [['purpose', 'user_data'], ['file', { file: content, filename: 'a.txt' }], ...more]);
    return { dependencies, upload, text, folder, names: () => readdirSync(folder) };
  }

  test('a file is kept, shown, read in whole and in part, and deleted by its account alone (contract-2 8)', async (t) => {
    const { dependencies, text, names } = await prepare(t);
    const file = await text('acc_a', 'hello files');
    const { created_at } = file;
    assert.match(file.id, /^file_[A-Za-z0-9]{24}$/);
    assert.deepEqual(fileObject(await getOwnFile(dependencies, 'acc_a', file.id)), {
      id: file.id,
      object: 'file',
      bytes: 11,
      created_at,
      filename: 'a.txt',
      purpose: 'user_data',
      status: 'processed',
    });
    const part = await openFile(dependencies, file, { ...NOTHING_ASKED, range: 'bytes=6-' });
    assert.deepEqual([part.status, part.headers['content-range']], [206, 'bytes 6-10/11']);
    assert.equal(String(await part.body?.toArray()), 'files');
    assert.equal((await openFile(dependencies, file, { ...NOTHING_ASKED, range: 'bytes=11-' })).status, 416);
    assert.equal((await openFile(dependencies, file, { ...NOTHING_ASKED, ifNoneMatch: `"${file.id}"` })).status, 304);

    await assert.rejects(getOwnFile(dependencies, 'acc_b', file.id), { status: 404 });
    await assert.rejects(removeFile(dependencies, 'acc_b', file.id), { status: 404 });
    for (const id of ['file_x', 'file_\0', '../../etc/passwd', ''])
      await assert.rejects(getOwnFile(dependencies, 'acc_a', id), { status: 404 });
    await removeFile(dependencies, 'acc_a', file.id);
    await assert.rejects(getOwnFile(dependencies, 'acc_a', file.id), { status: 404 });
    assert.deepEqual(names(), []);
  });

  test('lists go by purpose, order and page (contract-2 8)', async (t) => {
    const { dependencies, text, upload } = await prepare(t);
    const ids: string[] = [];
    for (const content of ['1', '2', '3']) {
      dependencies.clock.ms += 1_000;
      ids.push((await text('acc_l', content)).id);
    }
    dependencies.clock.ms += 1_000;
    const batch = await upload('acc_l', [
      ['purpose', 'batch'],
      ['file', { file: '{}', filename: 'b.jsonl' }],
    ]);
    await text('acc_m', 'of somebody else');
    const list = async (query: string) => {
      const { files, hasMore } = await listOwnFiles(dependencies, 'acc_l', new URLSearchParams(query));
      return [files.map(({ id }) => id), hasMore];
    };
    assert.deepEqual(await list('purpose=user_data'), [ids.toReversed(), false]);
    assert.deepEqual(await list('purpose=batch'), [[batch.id], false]);
    assert.deepEqual(await list('order=asc&limit=2'), [ids.slice(0, 2), true]);
    assert.deepEqual(await list(`order=asc&limit=2&after=${ids[1]}`), [[ids[2], batch.id], false]);
    for (const query of ['limit=0', 'limit=10001', 'order=up', 'after=x'])
      await assert.rejects(list(query), { status: 400 });
  });

  test('a file that is too large for itself or for its account is 413, and leaves nothing (contract-2 8)', async (t) => {
    const { dependencies, text, names } = await prepare(t, { accountBytes: 150 });
    await assert.rejects(text('acc_t', 'x'.repeat(101)), { status: 413, message: /at most/ });
    await text('acc_t', 'x'.repeat(100));
    await assert.rejects(text('acc_t', 'x'.repeat(51)), { status: 413, message: /of this account/ });
    await text('acc_t', 'x'.repeat(50));
    await text('acc_u', 'x'.repeat(100));
    assert.equal(names().length, 3);
    const raced = await Promise.allSettled(Array.from({ length: 4 }, () => text('acc_u', 'x'.repeat(20))));
    assert.equal(raced.filter(({ status }) => status === 'fulfilled').length, 2, 'together they stay within the bound');
    assert.equal(names().length, 5);
    assert.equal((await listOwnFiles(dependencies, 'acc_u', new URLSearchParams())).files.length, 3);
  });

  test('a file goes when its time is over, and what an interrupted upload left is swept (contract-2 8)', async (t) => {
    const { dependencies, text, folder, names } = await prepare(t);
    const now = await dependencies.store.now();
    dependencies.clock.ms = (now - 3_601) * 1000;
    const gone = await text('acc_e', 'short-lived', [
      ['expires_after[anchor]', 'created_at'],
      ['expires_after[seconds]', '3600'],
    ]);
    dependencies.clock.ms = now * 1000;
    const kept = await text('acc_e', 'stays');
    assert.equal(gone.expires_at, gone.created_at + 3_600);
    await assert.rejects(getOwnFile(dependencies, 'acc_e', gone.id), { status: 404 });
    for (const name of ['file_without0a0row', `${kept.id}.abc.part`, 'file_young'])
      writeFileSync(join(folder, name), 'x');
    const old = now - 7 * 3_600;
    for (const name of names()) if (name !== 'file_young') utimesSync(join(folder, name), old, old);
    const errors: unknown[] = [];
    const sweeper = new FileSweeper(dependencies, { onError: (error) => errors.push(error) });
    await sweeper.removeExpired();
    await sweeper.removeOrphans();
    assert.deepEqual(names().toSorted(), [kept.id, 'file_young'].toSorted());
    assert.equal(String(await readBlob(dependencies.blobs, kept.id)), 'stays');
  });

  test('what is still read by something under way outlives its row', async (t) => {
    const { dependencies, text, names } = await prepare(t);
    const { id } = await text('acc_w', 'in use');
    await removeFile({ ...dependencies, isUsed: async (keys) => new Set(keys) }, 'acc_w', id);
    await assert.rejects(getOwnFile(dependencies, 'acc_w', id), { status: 404 });
    assert.deepEqual(names(), [id]);
  });

  for (const [name, fields, words] of [
    ['no file', [['purpose', 'batch']], /'file' is required/],
    [
      'a text as file',
      [
        ['purpose', 'batch'],
        ['file', 'text'],
      ],
      /'file' is required/,
    ],
    [
      'an empty file',
      [
        ['purpose', 'batch'],
        ['file', { file: '' }],
      ],
      /'file' is empty/,
    ],
    ['no purpose', [['file', { file: 'x' }]], /'purpose' is required/],
    [
      'an unknown purpose',
      [
        ['purpose', 'fun'],
        ['file', { file: 'x' }],
      ],
      /'purpose' must be one of batch/,
    ],
    [
      'two files',
      [
        ['purpose', 'batch'],
        ['file', { file: 'x' }],
        ['file', { file: 'y' }],
      ],
      /more than once/,
    ],
    [
      'another anchor',
      [
        ['purpose', 'batch'],
        ['file', { file: 'x' }],
        ['expires_after[anchor]', 'now'],
        ['expires_after[seconds]', '3600'],
      ],
      /expires_after.anchor/,
    ],
    [
      'too short a time',
      [
        ['purpose', 'batch'],
        ['file', { file: 'x' }],
        ['expires_after[anchor]', 'created_at'],
        ['expires_after[seconds]', '60'],
      ],
      /expires_after.seconds/,
    ],
  ] as [string, [string, FakeValue][], RegExp][])
    test(`an upload with ${name} is refused by the name of its field (contract-2 8)`, () =>
      assert.throws(() => readUpload(fakeForm(fields)), { status: 400, message: words }));
});
