import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { systemClock } from '../shared/clock.ts';
import { type BlobSource, type BlobStore, readBlob } from './blob-store.ts';
import { FolderBlobs } from './folder-blobs.ts';
import { readS3Address } from './s3/s3-address.ts';
import { S3Blobs } from './s3/s3-blobs.ts';
import { S3Client } from './s3/s3-client.ts';
import { type S3Server, startS3Server } from './testing/s3-server.ts';

const sourceOf = (text: string, length = Buffer.byteLength(text)): BlobSource => ({
  length,
  async *open() {
    for (const piece of text.match(/.{1,7}/gs) ?? []) yield Buffer.from(piece);
  },
});

async function keysOf(blobs: BlobStore): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key, changedAt } of blobs.list()) {
    assert.ok(Math.abs(changedAt - Date.now() / 1000) < 3_600);
    keys.push(key);
  }
  return keys.sort();
}

async function checkBlobs(blobs: BlobStore): Promise<void> {
  const text = 'what a file holds, in several pieces';
  for (const key of ['file_a', 'file_b', 'file_c']) await blobs.put(key, sourceOf(`${key}: ${text}`));
  assert.equal(String(await readBlob(blobs, 'file_a')), `file_a: ${text}`);
  assert.equal(String(await readBlob(blobs, 'file_b', { start: 8, end: 11 })), 'what');
  assert.deepEqual(await keysOf(blobs), ['file_a', 'file_b', 'file_c']);
  await blobs.remove('file_b');
  await blobs.remove('file_b');
  assert.equal(await readBlob(blobs, 'file_b'), undefined);
  assert.deepEqual(await keysOf(blobs), ['file_a', 'file_c']);
}

describe('in a folder (contract-2 8)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-blobs-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  test('blobs are kept, read in part, listed and removed', () => checkBlobs(new FolderBlobs(join(folder, 'all'))));

  test('a write that fails leaves nothing, neither the blob nor a part of it', async () => {
    const blobs = new FolderBlobs(join(folder, 'broken'));
    const broken: BlobSource = {
      length: 8,
      async *open() {
        yield Buffer.from('half');
        throw new Error('the disk is full');
      },
    };
    await assert.rejects(blobs.put('file_a', broken), /disk is full/);
    await assert.rejects(blobs.put('file_a', sourceOf('short', 99)), /99 bytes/);
    assert.deepEqual(readdirSync(join(folder, 'broken')), []);
    assert.deepEqual(await keysOf(new FolderBlobs(join(folder, 'none'))), []);
  });
});

describe('in a bucket (contract-2 8)', () => {
  let server: S3Server;
  const clients: S3Client[] = [];
  before(async () => {
    server = await startS3Server({ accessKey: 'key-id', secret: 'top/secret+key' });
  });
  after(async () => {
    for (const client of clients) client.close();
    await server.stop();
  });

  function open(secret: string, prefix = 'some/folder'): S3Blobs {
    const variables: Record<string, string> = { AWS_ACCESS_KEY_ID: 'key-id', AWS_SECRET_ACCESS_KEY: secret };
    const text = `s3://bucket/${prefix}?endpoint=${encodeURIComponent(server.url)}&region=eu-central-1`;
    const address = readS3Address(
      text,
      (name) => variables[name],
      (sentence) => assert.fail(sentence),
    );
    const client = new S3Client(address, systemClock, () => undefined);
    clients.push(client);
    return new S3Blobs(client, address);
  }

  test('blobs are kept under the prefix, read in part, listed over pages and removed', async () => {
    server.objects.set('other/file_x', { bytes: Buffer.from('not ours'), changedAt: new Date() });
    await checkBlobs(open('top/secret+key'));
    assert.deepEqual([...server.objects.keys()].sort(), ['other/file_x', 'some/folder/file_a', 'some/folder/file_c']);
    assert.deepEqual(server.refusals, []);
  });

  test('a wrong secret is refused with the words of the bucket', async () => {
    const blobs = open('another secret');
    await assert.rejects(blobs.put('file_a', sourceOf('text')), /answered 403 SignatureDoesNotMatch to an upload/);
    await assert.rejects(blobs.open('file_a'), /answered 403/);
    await assert.rejects(blobs.remove('file_a'), /answered 403/);
  });
});

describe('TOLLGATE_BLOBS (contract-2 8)', () => {
  const variables: Record<string, string> = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b', AWS_REGION: 'eu-1' };
  const read = (text: string, given = variables) => {
    try {
      return readS3Address(
        text,
        (name) => given[name],
        (sentence) => {
          throw new Error(sentence);
        },
      );
    } catch (error) {
      return (error as Error).message;
    }
  };

  test('bucket, prefix, region and endpoint are read; the region may come from AWS_REGION', () => {
    const credentials = { accessKeyId: 'a', secretAccessKey: 'b', sessionToken: undefined };
    assert.deepEqual(read('s3://my-bucket/a/b/?endpoint=http://localhost:9000/&region=us-west-2'), {
      bucket: 'my-bucket',
      prefix: 'a/b/',
      region: 'us-west-2',
      endpoint: 'http://localhost:9000',
      credentials,
    });
    assert.deepEqual(read('s3://my-bucket'), {
      bucket: 'my-bucket',
      prefix: '',
      region: 'eu-1',
      endpoint: undefined,
      credentials,
    });
  });

  for (const [text, words] of [
    ['file:///x', /s3:\/\/bucket/],
    ['s3://B', /names no bucket/],
    ['s3://bucket/a?endpont=x', /parameter \\"endpont\\"/],
    ['s3://bucket/a?endpoint=ftp://x', /endpoint/],
    ['s3://bucket/a%20b', /prefix/],
  ] as const)
    test(`"${text}" is refused with a sentence`, () => assert.match(JSON.stringify(read(text)), words));

  test('without credentials it is refused', () =>
    assert.match(JSON.stringify(read('s3://bucket', {})), /AWS_ACCESS_KEY_ID/));
});
