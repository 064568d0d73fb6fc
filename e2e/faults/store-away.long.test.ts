// PostgreSQL goes away under the gateway and comes back (FT-03, FT-04; promises O-03, O-04): nothing is served free,
// the process lives on, and afterwards the records agree.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Sandbox, startSandbox } from '../../server/src/sandbox/server.ts';
import type { StoreSettings } from '../../server/src/store/open-store.ts';
import { chat, type JournalEntry } from './chat-client.ts';
import { type GatewayProcess, startGatewayProcess, statusOf } from './gateway-process.ts';
import { Operator, TOKENS_MODEL, untilOffered } from './operator.ts';
import { OwnPostgres } from './own-postgres.ts';
import { checkBooks, checkJournal, checkUpstream, readBooks, untilNoOpenHold } from './reconcile.ts';

const CALLS = 20;
/** A new call is answered at the latest after this, whatever the store does. */
const REFUSED_WITHIN_MS = 30_000;
const FROZEN_REFUSED_WITHIN_MS = 45_000;
const WELL_AGAIN_WITHIN_MS = 60_000;

describe('PostgreSQL goes away', { skip: process.platform === 'linux' ? false : 'reads /proc' }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-test-'));
  const journal: JournalEntry[] = [];
  let calls = 0;
  let postgres: OwnPostgres;
  let settings: StoreSettings;
  let upstream: Sandbox;
  let gateway: GatewayProcess | undefined;
  let address: string;
  let key: string;

  before(async () => {
    upstream = await startSandbox();
    postgres = await OwnPostgres.start();
    settings = { databaseUrl: postgres.url, dataFolder: folder };
    gateway = await startGatewayProcess(settings);
    ({ address } = gateway);
    const operator = new Operator(address);
    await operator.offerModels(upstream.baseUrl('openai'));
    ({ key } = await operator.addToken(await operator.addAccount('1000000')));
    await untilOffered(address, key, TOKENS_MODEL);
  });
  after(async () => {
    await gateway?.end('SIGKILL');
    await upstream.stop();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function call(text: string, timeoutMs = 120_000): Promise<JournalEntry> {
    const entry = await chat({
      address,
      key,
      model: TOKENS_MODEL,
      text,
      stream: calls % 2 === 0,
      maxTokens: 1_000 + calls++,
      signal: AbortSignal.timeout(timeoutMs),
    });
    journal.push(entry);
    return entry;
  }

  const callMany = (text: string, timeoutMs?: number): Promise<JournalEntry[]> =>
    Promise.all(Array.from({ length: CALLS }, () => call(text, timeoutMs)));

  /** New calls are refused with 503 in time, and none of them reaches the upstream. */
  async function checkRefused(withinMs: number): Promise<void> {
    const refused = await callMany('Hello', withinMs + 10_000);
    assert.equal(gateway?.child.exitCode, null, `the process lives on: ${gateway?.lastWords().slice(-1_500)}`);
    const outcomes = refused.map(({ status, failure }) => failure ?? status);
    assert.deepEqual(new Set(outcomes), new Set([503]), `outcomes: ${JSON.stringify(outcomes)}`);
    const slowest = Math.max(...refused.map(({ milliseconds }) => milliseconds));
    assert.ok(slowest <= withinMs, `the slowest refusal took ${slowest} ms`);
    const asked = new Set(refused.map(({ maxTokens }) => maxTokens));
    const served = upstream.records.filter(({ body }) => asked.has((body as { max_tokens?: number }).max_tokens));
    assert.equal(served.length, 0, 'nothing is served free');
  }

  async function untilWellAgain(): Promise<void> {
    const deadline = Date.now() + WELL_AGAIN_WITHIN_MS;
    while ((await statusOf(`${address}/readyz`)) !== 200) {
      assert.ok(Date.now() < deadline, `not ready ${WELL_AGAIN_WITHIN_MS} ms after the store is back`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.equal((await call('Hello again')).status, 200);
  }

  async function checkRecords(timeoutMs: number): Promise<void> {
    await untilNoOpenHold(settings, timeoutMs);
    const books = await readBooks(settings);
    checkBooks(books);
    checkJournal(books, journal);
    checkUpstream(books, upstream.records);
  }

  test('killed under load: 503 within seconds, nothing free, not ready but alive; back without a restart (FT-03)', async () => {
    assert.ok((await callMany('Hello [[long 5]]')).every(({ status, complete }) => status === 200 && complete));
    // On their way at the kill: some not held yet, some waiting for the upstream, some about to be settled.
    const underWay = Promise.all(
      Array.from({ length: 3 }, (_, round) =>
        new Promise((resolve) => setTimeout(resolve, round * 40)).then(() =>
          callMany(`Hello [[long 10]] [[pace ${round * 60}]] [[slow ${round * 100}]]`),
        ),
      ),
    );
    await new Promise((resolve) => setTimeout(resolve, 150));
    await postgres.kill();
    try {
      await checkRefused(REFUSED_WITHIN_MS);
      const word = await fetch(`${address}/readyz`);
      assert.equal(word.status, 503);
      assert.deepEqual(await word.json(), { status: 'not ready', reason: 'the database does not answer' });
      assert.equal(await statusOf(`${address}/healthz`), 200);
    } finally {
      await postgres.startAgain();
    }
    await untilWellAgain();
    for (const { status, failure } of (await underWay).flat())
      assert.ok(status === 200 || status === 503, `a call under way ended with ${failure ?? status}`);
    await checkRecords(60_000);
  });

  test('frozen: 503 in time, nothing free, not ready but alive; no double charge after it thaws (FT-04)', async () => {
    postgres.freeze();
    try {
      await checkRefused(FROZEN_REFUSED_WITHIN_MS);
      assert.equal(await statusOf(`${address}/readyz`), 503);
      assert.equal(await statusOf(`${address}/healthz`), 200);
    } finally {
      postgres.thaw();
    }
    await untilWellAgain();
    await checkRecords(60_000);
  });
});
