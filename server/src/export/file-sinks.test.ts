import assert from 'node:assert/strict';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { S3Client } from '../files/s3/s3-client.ts';
import { startS3Server } from '../files/testing/s3-server.ts';
import { systemClock } from '../shared/clock.ts';
import { FileSink } from './file-sink.ts';
import { S3Sink } from './s3-sink.ts';
import { HOUR, ledgerBatch, ledgerLine, requestBatch, requestLine } from './testing/lines.ts';

const KEYS = { accessKey: 'bucket-key', secret: 'secret of the tests' };

function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-export-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const linesOf = (bytes: Buffer): Record<string, unknown>[] =>
  String(gunzipSync(bytes))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const BATCH = ledgerBatch([
  ledgerLine(1n, 1_500_000_001n),
  ledgerLine(2n, -2n, HOUR + 3599),
  ledgerLine(3n, 7n, HOUR + 3600),
]);
const DAY = 'ledger/date=2025-10-09';
const NAME = 'ledger-000000000000001-000000000000003.ndjson.gz';

test('files are named by their range, in folders by table and hour, with amounts as decimal text (contract-2 12)', async (t) => {
  const folder = join(makeFolder(t), 'new', 'folder');
  const sink = new FileSink({ name: 'file', folder });
  await sink.prepare();
  await sink.write(BATCH);
  await sink.write(requestBatch([requestLine('req_1', 4n, 5n)]));
  const files = globSync('**/*.gz', { cwd: folder }).sort();
  const request = 'requests/date=2025-10-09/hour=08/requests-000000000000004-000000000000004.ndjson.gz';
  assert.deepEqual(files, [`${DAY}/hour=08/${NAME}`, `${DAY}/hour=09/${NAME}`, request]);
  const [first, second] = linesOf(readFileSync(join(folder, files[0] ?? '')));
  assert.deepEqual([first?.['id'], first?.['amount'], first?.['note']], ['1', '1.500000001', 'a "note"\twith\nü']);
  assert.deepEqual([second?.['id'], second?.['amount']], ['2', '-0.000000002']);
  const [line] = linesOf(readFileSync(join(folder, files[2] ?? '')));
  assert.deepEqual([line?.['charge'], line?.['version'], line?.['usage']], ['0.000000005', 4, { input_tokens: 3 }]);
});

test('a batch that is written again replaces itself and removes what a killed process left (contract-2 12)', async (t) => {
  const folder = makeFolder(t);
  const sink = new FileSink({ name: 'file', folder });
  mkdirSync(join(folder, DAY, 'hour=08'), { recursive: true });
  writeFileSync(join(folder, DAY, 'hour=08', `.${NAME}.abc.unfinished`), 'half');
  await sink.write(BATCH);
  await sink.write({ ...BATCH, isRepeated: true });
  const all = globSync('**/{.*,*}', { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile());
  assert.deepEqual(
    all.map(({ name }) => name),
    [NAME, NAME],
  );
});

test('a folder that cannot be written to is an error that names it', async (t) => {
  const folder = makeFolder(t);
  writeFileSync(join(folder, 'file'), '');
  const sink = new FileSink({ name: 'file', folder: join(folder, 'file', 'folder') });
  await assert.rejects(sink.prepare(), /file/);
});

test('a bucket gets the same files under its prefix, and a second try the same objects (contract-2 12)', async (t) => {
  const server = await startS3Server(KEYS);
  const bucket = {
    bucket: 'bucket',
    prefix: 'log/',
    region: 'eu-central-1',
    endpoint: server.url,
    credentials: { accessKeyId: KEYS.accessKey, secretAccessKey: KEYS.secret },
  };
  const sink = new S3Sink({ name: 's3', prefix: bucket.prefix }, new S3Client(bucket, systemClock, () => undefined));
  t.after(async () => {
    sink.close();
    await server.stop();
  });
  await sink.prepare();
  await sink.write(BATCH);
  const objects = () =>
    [...server.objects].map(([key, { bytes }]) => [decodeURIComponent(key), linesOf(bytes).length] as const);
  const wanted = [
    [`log/${DAY}/hour=08/${NAME}`, 2],
    [`log/${DAY}/hour=09/${NAME}`, 1],
  ];
  assert.deepEqual(objects(), wanted);
  await sink.write({ ...BATCH, isRepeated: true });
  assert.deepEqual(objects(), wanted);
  assert.deepEqual(server.refusals, []);
  const stranger = new S3Client(
    { ...bucket, credentials: { accessKeyId: 'x', secretAccessKey: 'y' } },
    systemClock,
    () => undefined,
  );
  await assert.rejects(new S3Sink({ name: 's3', prefix: '' }, stranger).prepare(), /the bucket answered 403/);
  stranger.close();
});
