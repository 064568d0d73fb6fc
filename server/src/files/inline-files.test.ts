import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { Reserve } from '../shared/reserve-memory.ts';
import { onEveryStore } from '../testing/stores.ts';
import { FolderBlobs } from './folder-blobs.ts';
import { inlineFiles } from './inline-files.ts';
import { keepFile } from './keep-file.ts';

const PNG = Buffer.from('\x89PNG picture', 'latin1');
const PDF = Buffer.from('%PDF-1.7 paper');

onEveryStore((open) => {
  async function prepare(t: TestContext, maxInlineBytes = 1_000) {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-inline-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const clock = { now: () => Date.now() };
    const blobs = new FolderBlobs(folder);
    const dependencies = {
      store: await open(),
      blobs,
      clock,
      maxFileBytes: 1_000,
      maxAccountBytes: 10_000,
      maxInlineBytes,
    };
    const reserved: { bytes: number; lasting: number; kept: number }[] = [];
    const add = async (filename: string, bytes: Buffer) => {
      const source = {
        length: bytes.length,
        async *open() {
          yield bytes;
        },
      };
      const facts = { accountId: 'acc', tokenId: 'tok', purpose: 'user_data', expiresAfter: undefined };
      return (await keepFile(dependencies, { ...facts, filename, contentType: 'application/octet-stream', source })).id;
    };
    const inline = async (body: unknown, accountId = 'acc') => {
      const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
      const reserve: Reserve = async (wanted, lasting = wanted) => {
        const one = { bytes: wanted, lasting, kept: wanted };
        reserved.push(one);
        return (kept = 0) => void (one.kept = kept);
      };
      const inlined = await inlineFiles(dependencies, { accountId, reserve }, bytes);
      return {
        same: inlined === bytes,
        text: String(inlined),
        length: inlined.length,
        value: inlined === bytes ? undefined : JSON.parse(String(inlined)),
      };
    };
    return { add, inline, reserved };
  }

  const url = (type: string, bytes: Buffer): string => `data:${type};base64,${bytes.toString('base64')}`;

  test('chat, responses and messages get the bytes in their own words (contract-2 8)', async (t) => {
    const { add, inline } = await prepare(t);
    const [pdf, png, text] = [
      await add('paper.pdf', PDF),
      await add('a.png', PNG),
      await add('a.txt', Buffer.from('plain')),
    ];
    const chat = [
      { type: 'text', text: 'Read "file_id" please' },
      { type: 'file', file: { file_id: pdf } },
      { type: 'file', file: { file_id: png } },
      { type: 'image_url', image_url: { file_id: png, detail: 'low' } },
    ];
    const { value } = await inline({ model: 'm', messages: [{ role: 'user', content: chat }] });
    assert.deepEqual(value.messages[0].content, [
      chat[0],
      { type: 'file', file: { filename: 'paper.pdf', file_data: url('application/pdf', PDF) } },
      { type: 'image_url', image_url: { url: url('image/png', PNG) } },
      { type: 'image_url', image_url: { detail: 'low', url: url('image/png', PNG) } },
    ]);

    const items = [
      { type: 'input_file', file_id: pdf, filename: 'mine.pdf' },
      { type: 'input_image', file_id: png, detail: 'high' },
    ];
    const responses = await inline({ model: 'm', input: [{ role: 'user', content: items }] });
    assert.deepEqual(responses.value.input[0].content, [
      { type: 'input_file', filename: 'mine.pdf', file_data: url('application/pdf', PDF) },
      { type: 'input_image', detail: 'high', image_url: url('image/png', PNG) },
    ]);

    const blocks = [pdf, text].map((file_id) => ({ type: 'document', source: { type: 'file', file_id }, title: 't' }));
    const image = { type: 'image', source: { type: 'file', file_id: png } };
    const messages = await inline({
      model: 'm',
      max_tokens: 5,
      messages: [{ role: 'user', content: [...blocks, image] }],
    });
    assert.deepEqual(
      messages.value.messages[0].content.map((block: { source: unknown }) => block.source),
      [
        { type: 'base64', media_type: 'application/pdf', data: PDF.toString('base64') },
        { type: 'text', media_type: 'text/plain', data: 'plain' },
        { type: 'base64', media_type: 'image/png', data: PNG.toString('base64') },
      ],
    );
  });

  test('ids of others, free text, arguments of tools and bad JSON stay as they are', async (t) => {
    const { add, inline } = await prepare(t);
    const id = await add('paper.pdf', PDF);
    const naming = (file_id: string) => ({
      messages: [{ role: 'user', content: [{ type: 'file', file: { file_id } }] }],
    });
    assert.equal((await inline(naming(id), 'acc_other')).same, true);
    assert.equal((await inline(naming('file_011CNha8iCJcU1wXNR6q4V8w'))).same, true);
    assert.equal((await inline({ messages: [{ content: `{"file_id":"${id}"}` }] })).same, true);
    const call = { type: 'tool_use', name: 'f', input: { file: { type: 'input_file', file_id: id } } };
    assert.equal((await inline({ messages: [{ role: 'assistant', content: [call] }] })).same, true);
    assert.equal((await inline(`{"file_id": "${id}"`)).same, true);
    assert.equal((await inline({ messages: [{ content: [{ type: 'container_upload', file_id: id }] }] })).same, true);
  });

  test('what surrounds a file keeps its bytes, and too large ones are 413 by their field', async (t) => {
    const { add, inline } = await prepare(t, 20);
    const id = await add('paper.pdf', PDF);
    const body = `{"model":"m", "seed":12345678901234567890, "messages":[{"role":"user","content":[{"type":"file","file":{"file_id":"${id}"}}]}]}`;
    const inlined = await inline(body);
    assert.ok(inlined.text.startsWith('{"model":"m", "seed":12345678901234567890, "messages":[{'));
    assert.equal(inlined.same, false);
    const twice = { type: 'file', file: { file_id: id } };
    await assert.rejects(inline({ messages: [{ role: 'user', content: [twice, twice] }] }), {
      status: 413,
      message: /^'messages\[0\]\.content\[1\]\.file\.file_id': the files of one request/,
    });
  });

  test('memory for files is asked for before they are read: a small body may name large ones (promise B-03)', async (t) => {
    const { add, inline, reserved } = await prepare(t);
    const id = await add('a.txt', Buffer.from('x'.repeat(500)));
    const part = { type: 'file', file: { file_id: id } };
    await inline({ messages: [{ role: 'user', content: [part, part] }] });
    assert.equal(reserved.length, 1);
    assert.ok((reserved[0]?.bytes ?? 0) >= 2 * 1_000, `asked for ${reserved[0]?.bytes} bytes`);
  });

  test('once the files are in the body, only the body is held: two may run side by side (promise B-03)', async (t) => {
    const { add, inline, reserved } = await prepare(t, 10_000);
    const id = await add('a.pdf', Buffer.concat([PDF, Buffer.alloc(900)]));
    const { length } = await inline({
      messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: id } }] }],
    });
    const [{ bytes, lasting, kept } = { bytes: 0, lasting: 0, kept: 0 }] = reserved;
    assert.equal(kept, length);
    assert.ok(Math.abs(lasting - kept) < 100 && 2 * lasting < bytes, `${bytes} bytes, of which ${lasting} should last`);
  });
});
