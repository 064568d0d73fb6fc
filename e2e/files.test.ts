// Files with the openai SDK: uploads, lists, downloads, ownership, bounds, and file ids in text requests (contract-2 8).
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI, { toFile } from 'openai';
import { readError } from './support/chat.ts';
import { NO_DATABASE_SERVER } from './support/gateway.ts';
import { watchAnswers } from './support/watch-answers.ts';
import { makeToken, makeWorld, suiteGateway, type World } from './support/world.ts';

function client({ gateway, key }: Pick<World, 'gateway' | 'key'>): OpenAI {
  return new OpenAI({ apiKey: key, baseURL: `${gateway.address}/v1`, maxRetries: 0 });
}

const PDF = Buffer.from('%PDF-1.7 a small paper');

for (const postgres of [false, true]) {
  const skip = postgres ? NO_DATABASE_SERVER : false;
  describe(`files on ${postgres ? 'PostgreSQL' : 'SQLite'} (contract-2 8)`, { skip, concurrency: 4 }, async () => {
    if (skip !== false) return;
    const gateway = await suiteGateway({
      postgres,
      settings: { TOLLGATE_MAX_FILE_MB: '2', TOLLGATE_ACCOUNT_FILES_MB: '3' },
    });
    watchAnswers(gateway);

    test('the SDK uploads, lists, retrieves, downloads and deletes; another account sees nothing', async (t) => {
      const world = await makeWorld(gateway, t, { credit: '0' });
      const files = client(world).files;
      const file = await files.create({
        file: await toFile(Buffer.from('{"a":1}\n'), 'lines.jsonl'),
        purpose: 'batch',
        expires_after: { anchor: 'created_at', seconds: 3_600 },
      });
      assert.deepEqual(
        [file.object, file.bytes, file.filename, file.purpose, file.expires_at],
        ['file', 8, 'lines.jsonl', 'batch', file.created_at + 3_600],
      );
      const other = await files.create({ file: await toFile(PDF, 'paper.pdf'), purpose: 'user_data' });
      assert.equal('expires_at' in other, false);
      const listed: string[] = [];
      for await (const one of files.list({ limit: 1, order: 'asc' })) listed.push(one.id);
      assert.deepEqual(listed, [file.id, other.id]);
      assert.deepEqual((await files.list({ purpose: 'batch' })).data, [file]);
      assert.deepEqual(await files.retrieve(file.id), file);
      assert.equal(await (await files.content(file.id)).text(), '{"a":1}\n');

      const content = `${gateway.address}/v1/files/${other.id}/content`;
      const headers = { authorization: `Bearer ${world.key}`, range: 'bytes=0-4' };
      const range = await fetch(content, { headers });
      assert.deepEqual(
        [range.status, await range.text(), range.headers.get('content-range')],
        [206, '%PDF-', 'bytes 0-4/22'],
      );

      const beyond = await fetch(content, { headers: { ...headers, range: 'bytes=22-' } });
      assert.equal(beyond.headers.get('content-range'), 'bytes */22');
      await readError(beyond, 416, 'range_not_satisfiable'); // contract 4: one shape of all errors

      const stranger = client(await makeWorld(gateway, t)).files;
      await assert.rejects(stranger.retrieve(file.id), { status: 404 });
      await assert.rejects(stranger.content(file.id), { status: 404 });
      await assert.rejects(stranger.delete(file.id), { status: 404 });
      assert.deepEqual((await stranger.list()).data, []);
      const sibling = await makeToken(gateway, { account_id: world.account.id });
      assert.equal((await client({ gateway, key: sibling.key }).files.retrieve(file.id)).id, file.id);

      assert.deepEqual(await files.delete(file.id), { id: file.id, object: 'file', deleted: true });
      await assert.rejects(files.retrieve(file.id), { status: 404 });
      assert.equal(readdirSync(join(gateway.dataFolder, 'files')).includes(file.id), false);
    });

    test('too large a file is 413, alone or together with the others of the account', async (t) => {
      const { files } = client(await makeWorld(gateway, t));
      const upload = async (megabytes: number) =>
        files.create({ file: await toFile(Buffer.alloc(megabytes * 1024 * 1024, 'x'), 'x.txt'), purpose: 'user_data' });
      const message = /A file may have at most 2 MB/;
      await assert.rejects(upload(2.1), { status: 413, message });
      await assert.rejects(upload(8), { status: 413, message });
      await upload(2);
      await assert.rejects(upload(1.5), { status: 413, message: /of this account/ });
      await upload(1);
    });

    test('a file named in a chat, a response or a message goes to the upstream as inline data', async (t) => {
      const world = await makeWorld(gateway, t);
      const { model, key } = world;
      const openai = client(world);
      const { id: file_id } = await openai.files.create({ file: await toFile(PDF, 'paper.pdf'), purpose: 'user_data' });
      const data = PDF.toString('base64');
      const sent = (): string => JSON.stringify(world.calls().at(-1)?.body);

      await openai.chat.completions.create({
        model,
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'Read.' },
              { type: 'file', file: { file_id } },
            ],
          },
        ],
      });
      assert.ok(sent().includes(data) && !sent().includes(file_id));
      await openai.responses.create({
        model,
        input: [{ role: 'user', content: [{ type: 'input_file', file_id }] }],
      });
      assert.ok(sent().includes(data) && !sent().includes(file_id));
      const anthropic = new Anthropic({ apiKey: key, baseURL: gateway.address, maxRetries: 0 });
      await anthropic.messages.create({
        model,
        max_tokens: 20,
        messages: [{ role: 'user', content: [{ type: 'document', source: { type: 'file', file_id } as never }] }],
      });
      assert.ok(sent().includes(data) && !sent().includes(file_id));
      const strange = client(await makeWorld(gateway, t));
      await assert.rejects(
        strange.chat.completions.create({
          model,
          messages: [{ role: 'user', content: [{ type: 'file', file: { file_id } }] }],
        }),
        { status: 404 },
      );
    });
  });
}
