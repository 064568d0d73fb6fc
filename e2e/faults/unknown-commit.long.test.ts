// Connections to PostgreSQL cut after a commit and before its answer (FT-05): whether it happened is found out, never
// guessed, and nothing is held or charged twice or for ever.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type Sandbox, startSandbox } from '../../server/src/sandbox/server.ts';
import type { StoreSettings } from '../../server/src/store/open-store.ts';
import { makeDatabase } from '../../server/src/testing/stores.ts';
import { chat, type JournalEntry } from './chat-client.ts';
import { DatabaseProxy } from './database-proxy.ts';
import { type GatewayProcess, startGatewayProcess } from './gateway-process.ts';
import { waitUntil } from '../support/wait.ts';
import { Operator, TOKENS_MODEL, untilOffered } from './operator.ts';
import { checkBooks, checkJournal, checkUpstream, readBooks, untilNoOpenHold } from './reconcile.ts';

const server = process.env['TEST_DATABASE_URL'];
const CUTS = 12;
const CLIENTS = 12;

/** As a failing network or an administrator does it: between statements, within them, and in transactions. */
async function cutConnections(databaseUrl: string, times: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  for (let round = 0; round < times; round++) {
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    await new Promise((resolve) => setTimeout(resolve, 120));
  }
  await client.end();
}

describe(
  'the answer to a commit is lost',
  { skip: server === undefined ? 'TEST_DATABASE_URL is not set' : false },
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-test-'));
    const journal: JournalEntry[] = [];
    let calls = 0;
    let settings: StoreSettings;
    let upstream: Sandbox;
    let proxy: DatabaseProxy;
    let gateway: GatewayProcess | undefined;
    let operator: Operator;
    let call: (text: string) => Promise<JournalEntry>;

    before(async () => {
      upstream = await startSandbox();
      settings = { databaseUrl: await makeDatabase(server ?? ''), dataFolder: folder };
      proxy = await DatabaseProxy.start(settings.databaseUrl ?? '');
      gateway = await startGatewayProcess({ ...settings, databaseUrl: proxy.url });
      const { address } = gateway;
      operator = new Operator(address);
      await operator.offerModels(upstream.baseUrl('openai'));
      const { key } = await operator.addToken(await operator.addAccount('1000000'));
      await untilOffered(address, key, TOKENS_MODEL);
      call = async (text) => {
        const number = calls++;
        const options = {
          address,
          key,
          model: TOKENS_MODEL,
          text,
          stream: number % 2 === 0,
          maxTokens: 1_000 + number,
        };
        const entry = await chat({ ...options, signal: AbortSignal.timeout(120_000) });
        journal.push(entry);
        return entry;
      };
    });
    after(async () => {
      await gateway?.end('SIGKILL');
      await proxy.stop();
      await upstream.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    test('again and again under load: every call is answered or refused, held once and charged once', async () => {
      const over = new AbortController();
      const clients = Array.from({ length: CLIENTS }, async () => {
        while (!over.signal.aborted && (await call('Hello [[long 4]]')).status !== undefined);
      });
      for (let cut = 1; cut <= CUTS && gateway?.child.exitCode === null; cut++) {
        proxy.loseNextCommit();
        const deadline = Date.now() + 30_000;
        while (proxy.lost < cut && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 5));
        await new Promise((resolve) => setTimeout(resolve, 150));
      }
      over.abort();
      await Promise.all(clients);
      assert.equal(gateway?.child.exitCode, null, `the process lives on: ${gateway?.lastWords().slice(-1_500)}`);
      assert.equal(proxy.lost, CUTS);
      await waitUntil(async () => (await call('Hello')).status === 200, 'it does not recover');
      await untilNoOpenHold(settings, 60_000);
      const books = await readBooks(settings);
      checkBooks(books);
      // Where a connection takes seconds to come back, a call is refused rather than kept waiting.
      const answered = journal.filter(({ status }) => status === 200).length;
      for (const { status, failure } of journal)
        assert.ok(status === 200 || status === 503, `a call ended with ${failure ?? status}`);
      assert.equal(checkJournal(books, journal), answered, 'every answer was whole');
      checkUpstream(books, upstream.records);
      assert.ok(books.holds.length >= answered && books.holds.length <= journal.length);
    });

    test('every connection cut again and again, with operators at work: the process lives on and the records agree', async () => {
      const before = journal.length;
      const over = new AbortController();
      const clients = Array.from({ length: CLIENTS }, async () => {
        while (!over.signal.aborted && (await call('Hello [[long 4]]')).status !== undefined);
      });
      const operators = Array.from({ length: 4 }, async () => {
        while (!over.signal.aborted)
          await operator.addAccount('1').catch(() => new Promise((resolve) => setTimeout(resolve, 20)));
      });
      await cutConnections(settings.databaseUrl ?? '', 20);
      over.abort();
      await Promise.all([...clients, ...operators]);
      assert.equal(gateway?.child.exitCode, null, `the process lives on: ${gateway?.lastWords().slice(-1_500)}`);
      for (const { status, failure } of journal.slice(before))
        assert.ok(status === 200 || status === 503, `a call ended with ${failure ?? status}`);
      assert.equal((await call('Hello')).status, 200);
      await untilNoOpenHold(settings, 60_000);
      const books = await readBooks(settings);
      checkBooks(books);
      checkJournal(books, journal);
      checkUpstream(books, upstream.records);
    });

    test('a hold made although its call was refused does not stay open (contract 6)', async () => {
      proxy.loseNextCommitAndRefuse();
      const refused = await call('Hello');
      proxy.heal();
      assert.equal(refused.status, 503);
      assert.equal(proxy.lost, CUTS + 1);
      await untilNoOpenHold(settings, 60_000);
      checkBooks(await readBooks(settings));
    });
  },
);
