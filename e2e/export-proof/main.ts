// `npm run export-proof -- --minutes 30 --outage 60`: calls through gateways that export to a folder and to a real ClickHouse
// server, while both are killed at random; then ClickHouse is away for long. In the end store, files and ClickHouse must say the same to the nano-unit (contract-2 12). Needs a
// clickhouse-server program; without one only the files are compared. Not a part of npm test.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { parseArgs } from 'node:util';
import type { ExportState } from '#contract/exports.ts';
import { startSandbox } from '../../server/src/sandbox/server.ts';
import { openExistingStore } from '../../server/src/store/open-store.ts';
import { makeDatabase } from '../../server/src/testing/templates.ts';
import { callOperator, OPERATOR_KEY } from '../support/gateway.ts';
import { startProcess } from '../support/process.ts';
import { waitUntil } from '../support/wait.ts';
import { type Books, booksOfClickHouse, booksOfFiles, booksOfStore, differences } from './books.ts';
import { ClickHouse } from './clickhouse.ts';

const MODEL = 'sandbox-proof';
const CLIENTS = 3;
/** So long is ClickHouse away once where nothing else is said: a share of the run, beside it. */
const OUTAGE_SHARE = 0.15;
/** Of the minutes of kills, those before it is away; the rest comes after. */
const BEFORE_SHARE = 0.9;
/** Gateways are killed that much more rarely while ClickHouse is away. */
const RARER = 10;

const { values } = parseArgs({
  options: {
    /** Of kills. */
    minutes: { type: 'string', default: '10' },
    /** Minutes that ClickHouse is away, beside those. */
    outage: { type: 'string' },
    /** A client rests so many milliseconds after a call at most. */
    rest: { type: 'string', default: '60' },
    clickhouse: { type: 'string' },
    sqlite: { type: 'boolean', default: false },
    /** The exported files stay there, to be looked at with other tools. */
    keep: { type: 'string' },
  },
});
const minutes = Number(values.minutes);
const outageMs = Number(values.outage ?? minutes * OUTAGE_SHARE) * 60_000;
const server = process.env['TEST_DATABASE_URL'];
if (!values.sqlite && server === undefined) throw new Error('set TEST_DATABASE_URL, or give --sqlite');

const between = (least: number, most: number): number => least + Math.random() * (most - least);
const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
const say = (text: string): void => void process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);

const scratch = mkdtempSync(join(tmpdir(), 'tollgate-export-proof-'));
const files = values.keep ?? join(scratch, 'files');
const program = values.clickhouse ?? findProgram('clickhouse-server');
const clickhouse = program === undefined ? undefined : await ClickHouse.make(program, join(scratch, 'clickhouse'));
say(
  clickhouse === undefined
    ? 'no clickhouse-server: files only'
    : `ClickHouse ${await clickhouse.ask('SELECT version()')}`,
);
const upstream = await startSandbox();
const databaseUrl = values.sqlite ? undefined : await makeDatabase(server ?? '');
const settings: Record<string, string> = {
  TOLLGATE_DATA_DIR: join(scratch, 'data'),
  TOLLGATE_OPERATOR_KEY: OPERATOR_KEY,
  TOLLGATE_SECRET: 'a secret that the nodes of the proof share',
  TOLLGATE_SANDBOX: 'off',
  TOLLGATE_EXPORT: [`file://${files}`, ...(clickhouse === undefined ? [] : [clickhouse.address])].join(','),
  ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
};
type Running = Awaited<ReturnType<typeof startProcess>>;
const gateways: Running[] = [];
for (let count = 0; count < (values.sqlite ? 1 : 2); count++) gateways.push(await startProcess(settings));

process.once('exit', () => {
  for (const { child } of gateways) child.kill('SIGKILL');
  clickhouse?.endNow();
});

const operator = <T>(method: string, path: string, body?: unknown): Promise<T> =>
  callOperator<T>(gateways[0]?.address ?? '', { method, path, body });
const account = await operator<{ id: string }>('POST', '/accounts', { name: 'proof' });
await operator('POST', `/accounts/${account.id}/credits`, { amount: '1000000.000000001', note: 'proof' });
await operator('PUT', `/models/${MODEL}`, { price: { unit: 'tokens', input: '2.5', output: '10.000000007' } });
await operator('POST', '/channels', {
  name: 'proof',
  provider: 'openai',
  base_url: upstream.baseUrl('openai'),
  keys: ['sk-proof'],
  models: { [MODEL]: MODEL },
});
const { key } = await operator<{ key: string }>('POST', '/tokens', { account_id: account.id, name: 'proof' });

const counts = { answered: 0, failed: 0, gatewayKills: 0, sinkKills: 0 };
const run = { isOver: false };
let isOutage = false;
/** Killed, and not yet back. */
let isSinkDown = false;

async function call(): Promise<void> {
  while (!run.isOver) {
    const gateway = gateways[Math.floor(Math.random() * gateways.length)];
    try {
      const answer = await fetch(`${gateway?.address}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'x'.repeat(between(1, 300)) }] }),
        signal: AbortSignal.timeout(20_000),
      });
      await answer.text();
      if (answer.ok) counts.answered++;
      else counts.failed++;
    } catch {
      counts.failed++;
    }
    await pause(between(0, Number(values.rest)));
  }
}

/** On a machine that is very busy a start may take longer than it is waited for; a run of hours goes on then. */
async function againAndAgain<T>(start: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await start();
    } catch (error) {
      say(`it does not start: ${String(error)}`);
    }
  }
}

async function killGateways(): Promise<void> {
  for (;;) {
    await pause(between(3_000, 20_000) * (isOutage ? RARER : 1));
    if (run.isOver) return;
    const index = Math.floor(Math.random() * gateways.length);
    await gateways[index]?.stop('SIGKILL');
    counts.gatewayKills++;
    gateways[index] = await againAndAgain(() => startProcess(settings));
  }
}

async function killSink(sink: ClickHouse): Promise<void> {
  for (;;) {
    await pause(between(5_000, 25_000));
    if (run.isOver) return;
    if (isOutage) continue;
    isSinkDown = true;
    await sink.kill();
    counts.sinkKills++;
    await pause(between(0, 6_000));
    await againAndAgain(() => sink.start());
    isSinkDown = false;
  }
}

const lags = async (): Promise<ExportState[]> => (await operator<{ data: ExportState[] }>('GET', '/exports')).data;

const work = [...Array.from({ length: CLIENTS }, call), killGateways()];
if (clickhouse !== undefined) work.push(killSink(clickhouse));
const total = minutes * 60_000;
let worstLag = 0;
const progress = setInterval(() => say(JSON.stringify(counts)), 60_000);
await pause(total * BEFORE_SHARE);
if (clickhouse !== undefined) {
  isOutage = true;
  await waitUntil(() => !isSinkDown, 'ClickHouse does not come back', 120_000);
  await clickhouse.kill();
  say(`${JSON.stringify(counts)}; ClickHouse is away for ${Math.round(outageMs / 1000)} s`);
  await pause(outageMs);
  await againAndAgain(() => clickhouse.start());
  const startedAt = Date.now();
  const isBack = async (): Promise<boolean> => {
    const states = await lags().catch(() => undefined);
    if (states === undefined) return false;
    const seconds = Math.max(...states.map(({ lag_seconds }) => lag_seconds));
    worstLag = Math.max(worstLag, seconds);
    return seconds < 60;
  };
  await waitUntil(isBack, 'the lag stays', 600_000);
  say(
    `lag back under a minute ${Math.round((Date.now() - startedAt) / 1000)} s after it came back (it was ${worstLag} s)`,
  );
  isOutage = false;
}
await pause(total * (1 - BEFORE_SHARE));
run.isOver = true;
clearInterval(progress);
await Promise.all(work);
if (clickhouse !== undefined) {
  await clickhouse.kill();
  await againAndAgain(() => clickhouse.start());
}
say(
  `${counts.answered} answered, ${counts.failed} failed; killed: ${counts.gatewayKills} gateways, ${counts.sinkKills} ClickHouse`,
);

const store = await openExistingStore({ databaseUrl, dataFolder: join(scratch, 'data') });
const isQuiet = async (): Promise<boolean> => {
  const hold = await store.reads.selectFrom('holds').select('id').limit(1).executeTakeFirst();
  const states = await lags().catch(() => undefined);
  return hold === undefined && states?.every(({ lag_rows }) => lag_rows === 0) === true;
};
await waitUntil(isQuiet, 'holds or lags do not end', 120_000);
const wanted = await booksOfStore(store);
assert.ok(wanted.settled > 0n && counts.answered > 0, 'no call was charged');
const found: Record<string, Books> = { files: booksOfFiles(files) };
if (clickhouse !== undefined) {
  found['ClickHouse'] = await booksOfClickHouse(clickhouse, { final: false });
  found['ClickHouse FINAL'] = await booksOfClickHouse(clickhouse, { final: true });
}
say(`store: ${describe(wanted)}`);
for (const [name, books] of Object.entries(found)) say(`${name}: ${describe(books)}`);
await store.close();
for (const gateway of gateways) await gateway.stop();
await clickhouse?.kill();
await upstream.stop();
if (values.keep === undefined) rmSync(scratch, { recursive: true, force: true });
for (const [name, books] of Object.entries(found)) assert.deepEqual(differences(wanted, books), [], name);
say('equal to the nano-unit');
process.exit(0);

function describe({ entries, amounts, settled, requests, charges }: Books): string {
  return `${entries} entries, sum ${amounts}, settled ${settled}; ${requests} requests, charges ${charges}`;
}

function findProgram(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}
