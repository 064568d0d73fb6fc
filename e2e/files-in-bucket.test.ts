// Files and a batch with their bytes in an S3-compatible bucket, from two nodes that share nothing but it and the database
// (contract-2 8).
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { toFile } from 'openai';
import { startS3Server } from '../server/src/files/testing/s3-server.ts';
import { begin, chatLine, ended, linesOf, openai } from './support/batches.ts';
import { NO_DATABASE_SERVER, startTestGateway } from './support/gateway.ts';
import { waitUntil } from './support/wait.ts';
import { makeWorld } from './support/world.ts';

const KEYS = { accessKey: 'bucket-key', secret: 'bucket/secret+of the tests' };

test('two nodes with data folders of their own share files and a batch', { skip: NO_DATABASE_SERVER }, async (t) => {
  const bucket = await startS3Server(KEYS);
  const settings = {
    TOLLGATE_BLOBS: `s3://bucket/files?endpoint=${encodeURIComponent(bucket.url)}&region=eu-central-1`,
    AWS_ACCESS_KEY_ID: KEYS.accessKey,
    AWS_SECRET_ACCESS_KEY: KEYS.secret,
  };
  const first = await startTestGateway({ postgres: true, settings });
  const second = await startTestGateway({
    databaseUrl: first.databaseUrl ?? '',
    upstream: first.upstream,
    settings,
  });
  const world = await makeWorld(first, t);
  t.after(async () => {
    await second.stop();
    await first.stop();
    await bucket.stop();
  });
  const here = openai(world);
  const there = openai({ gateway: second, key: world.key });
  await waitUntil(async () => {
    const { data } = await there.models.list();
    return data.some(({ id }) => id === world.model);
  }, 'the second node does not know the model');

  const file = await here.files.create({
    file: await toFile(Buffer.from('in the bucket'), 'a.txt'),
    purpose: 'user_data',
  });
  assert.equal(await (await there.files.content(file.id)).text(), 'in the bucket');
  assert.equal(String(bucket.objects.get(`files/${file.id}`)?.bytes), 'in the bucket');
  for (const { dataFolder } of [first, second]) assert.equal(existsSync(join(dataFolder, 'files')), false);
  const range = await fetch(`${second.address}/v1/files/${file.id}/content`, {
    headers: { authorization: `Bearer ${world.key}`, range: 'bytes=-6' },
  });
  assert.deepEqual([range.status, await range.text()], [206, 'bucket']);

  const lines = Array.from({ length: 30 }, (_, index) => chatLine(String(index), world.model));
  const { id } = await begin(here, lines);
  const batch = await ended(there, id);
  assert.deepEqual([batch.status, batch.request_counts?.completed], ['completed', 30]);
  assert.equal((await linesOf(here, batch.output_file_id)).length, 30);
  await there.files.delete(file.id);
  assert.equal(bucket.objects.has(`files/${file.id}`), false);
  assert.deepEqual(bucket.refusals, []);
});
