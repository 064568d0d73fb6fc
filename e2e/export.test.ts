// Ledger and request log in a folder and in a bucket while the gateway serves: sums equal the ledger's to the nano-unit
// (contract-2 12).
import assert from 'node:assert/strict';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import type { ExportState } from '#contract/exports.ts';
import type { LedgerEntry } from '#contract/ledger.ts';
import type { LoggedRequest } from '#contract/requests.ts';
import { startClickHouseStub } from '../server/src/export/testing/clickhouse-server.ts';
import { startS3Server } from '../server/src/files/testing/s3-server.ts';
import { chat } from './support/chat.ts';
import { readExported, sumOf } from './support/exported-files.ts';
import { NO_DATABASE_SERVER, startTestGateway, type TestGateway } from './support/gateway.ts';
import { waitUntil } from './support/wait.ts';
import { makeWorld } from './support/world.ts';

const KEYS = { accessKey: 'bucket-key', secret: 'bucket/secret+of the tests' };

async function listAll<T>(gateway: TestGateway, path: string): Promise<T[]> {
  const rows: T[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: { data: T[]; next_cursor: string | null } = await gateway.operator(
      'GET',
      `${path}?limit=200${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    rows.push(...page.data);
    cursor = page.next_cursor;
  }
  return rows;
}

async function checkExport(t: TestContext, { postgres }: { postgres: boolean }): Promise<void> {
  const bucket = await startS3Server(KEYS);
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-export-'));
  const prefix = `s3://bucket/log?endpoint=${encodeURIComponent(bucket.url)}&region=eu-central-1`;
  const gateway = await startTestGateway({
    postgres,
    settings: {
      TOLLGATE_EXPORT: `file://${folder}, ${prefix}`,
      AWS_ACCESS_KEY_ID: KEYS.accessKey,
      AWS_SECRET_ACCESS_KEY: KEYS.secret,
    },
  });
  const world = await makeWorld(gateway, t);
  t.after(async () => {
    await gateway.stop();
    await bucket.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const answers = await Promise.all(Array.from({ length: 25 }, (_, index) => chat(world, `number ${index}`)));
  for (const answer of answers) assert.equal(answer.status, 200, await answer.text());
  await (await chat(world, 'x', { messages: 7 })).text(); // refused: a line of the log, and no money

  const states = async () => (await gateway.operator<{ data: ExportState[] }>('GET', '/exports')).data;
  await waitUntil(
    async () => (await states()).every(({ lag_rows, lag_seconds }) => lag_rows === 0 && lag_seconds === 0),
    'the sinks stay behind',
  );
  assert.deepEqual(
    (await states()).map(({ sink, last_error }) => [sink, last_error]),
    [
      [`file://${folder}`, null],
      [`s3://bucket/log?endpoint=${bucket.url}`, null],
    ],
  );
  const entries = await listAll<LedgerEntry>(gateway, '/ledger');
  const requests = await listAll<LoggedRequest>(gateway, '/requests');
  assert.ok(entries.length > 25 && requests.length >= 26);
  const files = globSync('**/*.ndjson.gz', { cwd: folder }).map(
    (path) => [path, readFileSync(join(folder, path))] as const,
  );
  const objects = [...bucket.objects].map(([key, { bytes }]) => [key, bytes] as const);
  for (const exported of [readExported(files), readExported(objects)]) {
    assert.equal(exported.lines, entries.length, 'nothing is doubled');
    const amounts = (rows: Iterable<LedgerEntry>) => sumOf(Array.from(rows, ({ amount }) => amount));
    assert.equal(amounts(exported.entries.values()), amounts(entries));
    for (const entry of entries)
      assert.deepEqual(exported.entries.get(entry.id), { ...entry, version: Number(entry.id) });
    for (const { task_status: _, ...request } of requests) {
      const { version, ...line } = exported.requests.get(request.id) ?? { version: 0 };
      assert.deepEqual(line, request);
      assert.ok(version > 0);
    }
    assert.equal(exported.requests.size, requests.length);
  }
  assert.match(files[0]?.[0] ?? '', /^(ledger|requests)\/date=\d{4}-\d\d-\d\d\/hour=\d\d\/\1-\d+-\d+\.ndjson\.gz$/);
  assert.deepEqual(bucket.refusals, []);
  const settings = await gateway.operator<{ settings: { name: string; value: string }[] }>('GET', '/process');
  const shown = settings.settings.find(({ name }) => name === 'TOLLGATE_EXPORT')?.value;
  assert.equal(shown, `file://${folder}, s3://bucket/log?endpoint=${bucket.url}`);
  for (const text of [...gateway.logLines, JSON.stringify(settings)]) assert.ok(!text.includes(KEYS.secret));
}

const ARCHIVED = {
  id: 'req_00000000archived',
  account_id: 'acc_old',
  token_id: 'tok_old',
  group: 'default',
  endpoint: '/v1/chat/completions',
  model: 'an-old-model',
  channel_id: null,
  status: 200,
  error_code: null,
  reason: null,
  attempts: '[]',
  first_byte_ms: 1,
  total_ms: 2,
  usage: '{"input_tokens":3}',
  usage_source: 'upstream',
  charge: '0.000000007',
  arithmetic: null,
  mode: 'live',
  created_at: 1_000_000_000,
};

describe('the export (contract-2 12)', () => {
  test('folder and bucket hold what the operator API shows, on SQLite', (t) => checkExport(t, { postgres: false }));
  test('folder and bucket hold what the operator API shows, on PostgreSQL', { skip: NO_DATABASE_SERVER }, (t) =>
    checkExport(t, { postgres: true }),
  );

  test('lines that have left the store are read from ClickHouse, behind those of the store', async (t) => {
    const login = { user: 'ana', password: 'hunter 22' };
    const clickhouse = await startClickHouseStub(login);
    const address = `clickhouse://${login.user}:${encodeURIComponent(login.password)}@${clickhouse.url}/analytics`;
    const gateway = await startTestGateway({ settings: { TOLLGATE_EXPORT: address } });
    const world = await makeWorld(gateway, t);
    t.after(async () => {
      await gateway.stop();
      await clickhouse.stop();
    });
    clickhouse.answers.set('FROM tollgate_requests FINAL', `${JSON.stringify(ARCHIVED)}\n`);
    assert.equal((await chat(world, 'young')).status, 200);
    const { data } = await gateway.operator<{ data: LoggedRequest[] }>('GET', '/requests');
    assert.equal(data.at(-1)?.id, ARCHIVED.id);
    assert.ok(data.length > 1);
    const line = await gateway.operator<LoggedRequest>('GET', `/requests/${ARCHIVED.id}`);
    assert.deepEqual([line.charge, line.usage, line.model], ['0.000000007', { input_tokens: 3 }, 'an-old-model']);
    const asked = clickhouse.statements.filter((statement) => statement.includes('FINAL'));
    assert.match(asked[0] ?? '', new RegExp(`id < '${data.at(-2)?.id}'`), 'what the store has is not asked for');
    await waitUntil(
      () => (clickhouse.rows.get('tollgate_requests')?.length ?? 0) > 0,
      'the request is not exported to ClickHouse',
    );
    for (const text of gateway.logLines) assert.ok(!text.includes(login.password));
  });
});
