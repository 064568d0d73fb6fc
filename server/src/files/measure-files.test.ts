// Contract-2 8: a line of a batch is estimated with the files that it names, without their bytes.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { readMessages } from '../protocols/anthropic-messages/index.ts';
import { readChat } from '../protocols/openai-chat/index.ts';
import { readResponse } from '../protocols/openai-responses/index.ts';
import { onEveryStore } from '../testing/stores.ts';
import { FolderBlobs } from './folder-blobs.ts';
import { inlineFiles } from './inline-files.ts';
import { keepFile } from './keep-file.ts';
import { FileSizes } from './measure-files.ts';

const FILES: Record<string, Buffer> = {
  'tiny.txt': Buffer.from('plain'),
  'empty.txt': Buffer.alloc(0),
  'long.txt': Buffer.from('"Grüezi" \u{1f600}, they said.\r\n\t'.repeat(9_000)),
  'one-word.csv': Buffer.from('1,2,3,4;'.repeat(1_000)),
  'cut.txt': Buffer.from(`\x07 odd ${'\xff \xe4'.repeat(2_000)}`, 'latin1'),
  'picture.png': Buffer.from(`\x89PNG${'picture '.repeat(1_000)}`, 'latin1'),
  'small.png': Buffer.from('\x89PNG', 'latin1'),
  paper: Buffer.from(`%PDF-1.7 ${'paper '.repeat(1_000)}`),
};
/** The `data:...;base64,` of an encoded file, which is counted though the rest is media. */
const PREFIX = 60;

onEveryStore((open) => {
  async function prepare(t: TestContext, maxInlineBytes = 10 ** 7) {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-measure-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const blobs = new FolderBlobs(folder);
    const clock = { now: () => Date.now() };
    const store = await open();
    const dependencies = { store, blobs, clock, maxFileBytes: 10 ** 6, maxAccountBytes: 10 ** 7, maxInlineBytes };
    const facts = { accountId: 'acc', tokenId: 'tok', purpose: 'user_data', expiresAfter: undefined };
    const contentType = 'application/octet-stream';
    const ids: string[] = [];
    for (const [filename, bytes] of Object.entries(FILES)) {
      const source = {
        length: bytes.length,
        open: async function* () {
          yield bytes;
        },
      };
      ids.push((await keepFile(dependencies, { ...facts, filename, contentType, source })).id);
    }
    const inline = (body: Buffer): Promise<Buffer> =>
      inlineFiles(dependencies, { accountId: 'acc', reserve: async () => () => {} }, body);
    return { dependencies, ids, inline };
  }

  const bodies: Record<
    string,
    {
      read: typeof readChat | typeof readMessages | typeof readResponse;
      parts(id: string): object[];
      body(content: object[]): object;
    }
  > = {
    chat: {
      read: readChat,
      parts: (file_id) => [
        { type: 'file', file: { file_id } },
        { type: 'image_url', image_url: { file_id } },
      ],
      body: (content) => ({ model: 'm', messages: [{ role: 'user', content }] }),
    },
    responses: {
      read: readResponse,
      parts: (file_id) => [
        { type: 'input_file', file_id },
        { type: 'input_image', file_id },
      ],
      body: (content) => ({ model: 'm', input: [{ role: 'user', content }] }),
    },
    messages: {
      read: readMessages,
      parts: (file_id) => [{ type: 'document', source: { type: 'file', file_id } }],
      body: (content) => ({ model: 'm', max_tokens: 5, messages: [{ role: 'user', content }] }),
    },
  };

  for (const [name, { read, parts, body }] of Object.entries(bodies))
    test(`files of ${name} are counted as they are once they are in the request (contract-2 8)`, async (t) => {
      const { dependencies, ids, inline } = await prepare(t);
      const sizes = new FileSizes(dependencies, 'acc');
      const all = [...ids, ...ids].map(parts);
      for (const content of [...all, all.flat()]) {
        const bytes = Buffer.from(JSON.stringify(body(content), null, 2));
        const whole = read(await inline(bytes));
        const measured = await sizes.measure(bytes);
        const emptied = read(measured.body);
        const more = emptied.inputBytes + measured.size.inputBytes - whole.inputBytes;
        assert.ok(more >= 0 && more <= PREFIX * content.length, `${more} bytes more`);
        assert.equal(emptied.mediaCount + measured.size.mediaCount, whole.mediaCount);
      }
    });

  test('what names no file of the account stays, and too much of files is 413 by its field (contract-2 8)', async (t) => {
    const { dependencies, ids } = await prepare(t, 1_000);
    const [tiny = '', , long = ''] = ids;
    const named = (...all: string[]): Buffer =>
      Buffer.from(JSON.stringify(bodies['chat']?.body(all.map((file_id) => ({ type: 'file', file: { file_id } })))));
    for (const [account, body] of [
      ['other', named(tiny)],
      ['acc', named('file_011CNha8iCJcU1wXNR6q4V8w')],
      ['acc', Buffer.from('no JSON "file_')],
    ] as const)
      assert.deepEqual(await new FileSizes(dependencies, account).measure(body), {
        body,
        size: { inputBytes: 0, mediaCount: 0 },
      });
    await assert.rejects(new FileSizes(dependencies, 'acc').measure(named(tiny, long)), {
      status: 413,
      message: /^'messages\[0\]\.content\[1\]\.file\.file_id': the files of one request/,
    });
  });
});
