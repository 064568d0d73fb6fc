// The promise of upgrades (issue 33, point 7): this version opens the data of every released version, on both stores. Each folder
// of versions/ was made by that version's own code (make-version.ts).
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { reconcile } from '../../server/src/billing/reconcile.ts';
import { startGateway } from '../../server/src/gateway.ts';
import { startSandbox } from '../../server/src/sandbox/server.ts';
import { readConfig } from '../../server/src/start/config.ts';
import { openExistingStore, type StoreSettings } from '../../server/src/store/open-store.ts';
import { makeLogger } from '../../server/src/telemetry/logger.ts';
import { fillDataFolder, makeDatabase } from '../../server/src/testing/templates.ts';
import { DATABASE_SERVER, NO_DATABASE_SERVER } from '../support/gateway.ts';
import { nano } from '../support/money.ts';
import { spawnGateway } from '../support/process.ts';
import { startVideoStub } from '../support/video-stub.ts';
import { waitUntil } from '../support/wait.ts';
import { runCli } from '../cli/run-cli.ts';
import { asClient, asOperator, chatBody, OPERATOR_KEY, SECRET, type VersionFacts } from './fill-version.ts';

const VERSIONS = join(import.meta.dirname, 'versions');
const MOST_BYTES = 100_000;
/** A fixture gets older, and its running task must not be too late for that. */
const LATER = `update tasks set deadline = ${Math.floor(Date.now() / 1000) + 86_400} where completed_at is null`;

const versions = readdirSync(VERSIONS).sort();
const read = (version: string, file: string): Buffer => readFileSync(join(VERSIONS, version, file));

async function load(version: string, dialect: 'sqlite' | 'postgres', dataFolder: string): Promise<StoreSettings> {
  const text = gunzipSync(read(version, `${dialect}.sql.gz`)).toString();
  if (dialect === 'sqlite') {
    const database = new DatabaseSync(join(dataFolder, 'tollgate.db'));
    database.exec(text);
    database.exec(LATER);
    database.close();
    return { databaseUrl: undefined, dataFolder };
  }
  const databaseUrl = await makeDatabase(DATABASE_SERVER ?? '');
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(text);
  await client.query('set search_path to public');
  await client.query(LATER);
  await client.end();
  return { databaseUrl, dataFolder };
}

async function problemsOf(settings: StoreSettings): Promise<unknown[]> {
  const store = await openExistingStore(settings);
  try {
    return await reconcile(store);
  } finally {
    await store.close();
  }
}

for (const version of versions)
  for (const dialect of ['sqlite', 'postgres'] as const) {
    const skip = dialect === 'postgres' && NO_DATABASE_SERVER;
    test(
      `the data of ${version} opens on ${dialect}: keys work, sums are equal, a task goes on`,
      { skip },
      async (t) => {
        const folder = mkdtempSync(join(tmpdir(), 'tollgate-version-'));
        const [upstream, videos] = [await startSandbox(), await startVideoStub()];
        t.after(() => rmSync(folder, { recursive: true, force: true }));
        t.after(() => upstream.stop());
        t.after(() => videos.stop());
        const facts = (JSON.parse(read(version, 'facts.json').toString()) as Record<string, VersionFacts>)[dialect];
        assert.ok(facts !== undefined);
        const settings = await load(version, dialect, folder);
        videos.tasks.set(facts.upstreamTask, {
          id: facts.upstreamTask,
          key: 'k',
          body: { model: 'm', content: [] },
          createdAt: Math.floor(Date.now() / 1000),
          polls: 0,
          cancels: 0,
          script: ['running', 'succeeded'],
        });
        const config = readConfig({
          PORT: '0',
          TOLLGATE_DATA_DIR: folder,
          TOLLGATE_SECRET: SECRET,
          TOLLGATE_OPERATOR_KEY: OPERATOR_KEY,
          TOLLGATE_SANDBOX: 'off',
          TOLLGATE_TASK_POLL_MS: '100',
          TOLLGATE_REQUEST_LOG_DAYS: '36500',
          TOLLGATE_PRIVATE_HOSTS: '127.0.0.1',
          ...(settings.databaseUrl !== undefined && { DATABASE_URL: settings.databaseUrl }),
        });
        const gateway = await startGateway(config, makeLogger('silent', { write: () => {} }).logger);
        t.after(() => gateway.stop());
        const operator = asOperator(gateway.address);
        // Nothing has moved: every balance, entry and charge is what the old version answered.
        for (const { id, balance } of facts.accounts)
          assert.equal(nano((await operator('GET', `/accounts/${id}`)).balance), nano(balance));
        const ledger = await operator('GET', '/ledger?limit=200');
        assert.equal((ledger['data'] as object[]).length, facts.ledgerEntries);
        for (const { id, charge } of facts.requests)
          assert.equal(String((await operator('GET', `/requests/${id}`))['charge']), charge);

        await operator('PATCH', `/channels/${facts.channels.chat}`, { base_url: upstream.baseUrl('openai') });
        await operator('PATCH', `/channels/${facts.channels.videos}`, { base_url: videos.baseUrl });
        for (const { key, status } of facts.tokens) {
          const response = await asClient(gateway.address, key)('/chat/completions', chatBody('Hello!'));
          assert.equal(response.status, status, await response.text());
        }
        const sent = upstream.records.find(({ body }) => body !== null);
        assert.equal(
          sent?.headers['x-team'],
          'a header of the upstream',
          'what was sealed or written plainly is still sent',
        );

        const client = asClient(gateway.address, facts.tokens[1]?.key ?? '');
        const shown = async (id: string): Promise<string> =>
          ((await (await client(`/videos/${id}`)).json()) as { status: string }).status;
        assert.deepEqual([await shown(facts.tasks.done), await shown(facts.tasks.failed)], ['completed', 'failed']);
        await waitUntil(
          async () => (await shown(facts.tasks.running)) === 'completed',
          'the task does not go on',
          60_000,
        );
        await gateway.stop();
        assert.deepEqual(await problemsOf(settings), []);
      },
    );
  }

test('data that a newer version has changed is refused with one sentence, by the start and by commands', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-version-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  await fillDataFolder(folder);
  const database = new DatabaseSync(join(folder, 'tollgate.db'));
  database.exec(`insert into migrations (name, position) values ('9999-from-the-future', 9999)`);
  database.close();
  const sentence =
    /^tollgate: .*changed by a newer version of Tollgate \(migration 9999-from-the-future\); start that version\.?\n$/m;
  const started = spawnGateway({ TOLLGATE_DATA_DIR: folder, TOLLGATE_SANDBOX: 'off' });
  assert.equal(await started.ended, 1);
  assert.match(started.output().stderr, sentence);
  for (const args of [['reconcile'], ['backup', join(folder, 'b.gz')], ['restore', 'package.json', '--force']]) {
    const { code, err } = await runCli(args, { TOLLGATE_DATA_DIR: folder });
    assert.deepEqual([code, sentence.test(err)], [1, true], `${args.join(' ')}: ${err}`);
  }
});

test('data of an older version is not replaced unseen: its gateway may run (contract-2 11)', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-version-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  await load('0.1.0', 'sqlite', folder);
  const { code, err } = await runCli(['restore', 'package.json', '--force'], { TOLLGATE_DATA_DIR: folder });
  assert.equal(code, 1);
  assert.match(err, /it is of an older version .*; start the gateway once/);
});

test('every released version has a fixture that is small, and an entry in the changelog', () => {
  const changelog = readFileSync('CHANGELOG.md', 'utf8');
  const released = Array.from(changelog.matchAll(/^## (\d+\.\d+\.\d+) - \d{4}-\d\d-\d\d$/gm), ([, version]) => version);
  assert.deepEqual(released.toReversed(), versions);
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  assert.equal(released[0], version, 'the newest entry is the version of the package');
  for (const one of versions)
    for (const file of readdirSync(join(VERSIONS, one)))
      assert.ok(statSync(join(VERSIONS, one, file)).size < MOST_BYTES, `${one}/${file} is too large`);
});
