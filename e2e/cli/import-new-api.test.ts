// The afternoon of somebody who moves from new-api: a database, one command, and the same clients with the same keys get
// answers (contract-2 11).
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Account } from '#contract/accounts.ts';
import type { Channel } from '#contract/channels.ts';
import type { LedgerEntry } from '#contract/ledger.ts';
import { OPERATOR_KEY, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { nano } from '../support/money.ts';
import { afternoon, keyOf, SPECIAL, TOKENS } from './import/afternoon.ts';
import { NEW_API, type Tables, writeSqlite } from './import/new-api-schema.ts';
import { CLI, type CliResult, json, NODE_COMPILE_CACHE, runCli } from './run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-import-'));
const database = join(folder, 'one-api.db');
let gateway: TestGateway;
let tables: Tables;

before(async () => {
  gateway = await startTestGateway();
  const { openai, anthropic, gemini } = gateway.upstream.baseUrls();
  const serviceAccount = JSON.stringify(gateway.upstream.serviceAccount(), null, 2);
  tables = afternoon({ openai: openai.replace(/\/v1$/, ''), anthropic, gemini, serviceAccount });
  writeSqlite(database, NEW_API, tables);
});
after(async () => {
  await gateway.stop();
  rmSync(folder, { recursive: true, force: true });
});

const settings = (): Record<string, string> => ({ TOLLGATE_URL: gateway.address, TOLLGATE_OPERATOR_KEY: OPERATOR_KEY });
const run = (...args: string[]): Promise<CliResult> => runCli(['import', ...args], settings());

async function all<T>(path: string): Promise<T[]> {
  const rows: T[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: { data: T[]; next_cursor: string | null } = await gateway.operator(
      'GET',
      `${path}${path.includes('?') ? '&' : '?'}limit=200${cursor === '' ? '' : `&cursor=${cursor}`}`,
    );
    rows.push(...page.data);
    cursor = page.next_cursor;
  }
  return rows;
}

/** Everything that an import may change. */
async function snapshot(): Promise<string> {
  const lists = ['/accounts', '/tokens', '/channels', '/models', '/groups', '/ledger', '/audit'];
  const rows = await Promise.all(lists.map((path) => all<Record<string, unknown>>(path)));
  return JSON.stringify(rows.map((list) => list.map((row) => ({ ...row, health: null }))));
}

function chat(key: string, model: string): Promise<Response> {
  return fetch(`${gateway.address}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }], max_tokens: 10 }),
  });
}

/** Ends the command with SIGKILL as soon as it has come so far. */
async function killAt(percent: number): Promise<void> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', CLI, 'import', 'new-api', database, '--yes'],
    {
      env: { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE, ...settings() },
    },
  );
  let printed = '';
  child.stderr.on('data', (piece: Buffer) => {
    printed += piece.toString();
    const reached = [...printed.matchAll(/import (\d+) %/g)].some(([, shown]) => Number(shown) >= percent);
    if (reached) child.kill('SIGKILL');
  });
  const signal = await new Promise((resolve) => child.on('close', (_, by) => resolve(by)));
  assert.equal(signal, 'SIGKILL', printed);
}

test('a dry run prints every row and what cannot be taken over, and changes nothing (contract-2 11)', async () => {
  const first = await snapshot();
  const { code, out, err } = await run('new-api', database, '--dry-run');
  assert.equal(code, 0, err);
  assert.equal(await snapshot(), first);
  assert.match(
    out,
    /^model-1 +input 0\.25 x 2 = 0\.5; output 0\.5 x 4 = 2; cached 0\.5 x 0\.5 = 0\.25; .* per million$/m,
  );
  assert.match(out, /^user2 +default +active +20 +10000000 \/ 500000 +new-api:user:2$/m);
  assert.match(out, /^channel +channel 27 +Midjourney has no provider here$/m);
  assert.match(out, /^log lines +2000 +0\.4$/m);
  assert.match(out, /Nothing was changed: this was a dry run\.\n$/);
  for (const secret of ['upstream-key-1', keyOf(1), 'secret1']) assert.ok(!out.includes(secret), secret);
  assert.equal((await run('new-api', database)).code, 1, 'nobody can be asked');
  assert.equal(await snapshot(), first);
});

test('killed at several points and run again, the end is right; the second run changes nothing (contract-2 11)', async () => {
  await gateway.operator('POST', '/channels', {
    name: 'channel 12',
    provider: 'openai',
    base_url: 'https://mine.example/v1',
    keys: ['a-short-key'],
  });
  for (const percent of [5, 40, 75]) await killAt(percent);
  const report = json(await run('new-api', database, '--yes', '--json'));
  const { before: inSource, not_taken: notTaken, expected, after: credited } = report.sums;
  const users = tables['users'] ?? [];
  const quota = users.reduce((sum, { quota: own }) => sum + Number(own), 0);
  assert.equal(nano(inSource), BigInt(quota) * 2_000n, 'spec of new-api: 500000 are 1');
  assert.equal(expected, credited);
  // Deleted: 10000008, owing: -250000.
  assert.equal(nano(notTaken), (10_000_008n - 250_000n) * 2_000n);

  assert.ok(
    report.not_taken.some(
      (one: { name: string; reason: string }) =>
        one.name === 'channel 20' && /was refused: .*client_email/.test(one.reason),
    ),
  );

  const accounts = (await all<Account>('/accounts')).filter(
    ({ external_id: id }) => id?.startsWith('new-api:') === true,
  );
  assert.equal(accounts.length, users.length - 1);
  for (const { name, balance, external_id: id, group, status } of accounts) {
    const user = users.find((one) => `new-api:user:${String(one['id'])}` === id);
    assert.deepEqual(
      [name, group, status],
      [user?.['username'], user?.['group'], user?.['status'] === 1 ? 'active' : 'disabled'],
    );
    assert.equal(nano(balance), BigInt(Math.max(0, Number(user?.['quota']))) * 2_000n, name);
  }
  const credits = await all<LedgerEntry>('/ledger?kind=credit');
  const own = credits.filter(({ note }) => note?.startsWith('import new-api:') === true);
  assert.equal(
    own.reduce((sum, { amount }) => sum + nano(amount), 0n),
    nano(credited),
  );
  const tokens = (await all<{ account_id: string }>('/tokens')).filter(({ account_id: id }) =>
    accounts.some((one) => one.id === id),
  );
  assert.equal(tokens.length, TOKENS - 2, 'all but the deleted one and the one without a user');

  const second = await snapshot();
  const again = json(await run('new-api', database, '--yes', '--json'));
  assert.equal(await snapshot(), second);
  assert.deepEqual(Object.values(again.made), [0, 0, 0, 0, 0, 0]);
  assert.deepEqual(again.sums, report.sums);
  assert.equal(again.refused.channels, 1);
});

test('the same clients with the same keys get answers, and the same refusals (contract-2 11)', async () => {
  for (const [key, model, status, code] of [
    [keyOf(1), 'model-1', 200, undefined],
    [keyOf(2), 'model-11', 200, undefined],
    [keyOf(3), 'model-21', 200, undefined],
    [keyOf(4), 'model-41', 200, undefined],
    [keyOf(5), 'model-51', 200, undefined],
    [keyOf(6), 'model-61', 200, undefined],
    [keyOf(7), 'model-91', 200, undefined],
    [keyOf(SPECIAL.limited), 'model-1', 200, undefined],
    [keyOf(SPECIAL.listed), 'model-2', 200, undefined],
    [keyOf(SPECIAL.address), 'model-1', 200, undefined],
    [keyOf(SPECIAL.vip), 'model-1', 200, undefined],
    [keyOf(SPECIAL.auto), 'model-1', 200, undefined],
    [keyOf(SPECIAL.listed), 'model-3', 403, 'model_not_allowed'],
    [keyOf(SPECIAL.elsewhere), 'model-1', 403, 'ip_not_allowed'],
    [keyOf(SPECIAL.disabled), 'model-1', 401, 'token_disabled'],
    [keyOf(SPECIAL.badAddress), 'model-1', 401, 'token_disabled'],
    [keyOf(SPECIAL.expired), 'model-1', 401, 'token_expired'],
    [keyOf(SPECIAL.exhausted), 'model-1', 402, 'insufficient_quota'],
    [keyOf(SPECIAL.owing), 'model-1', 402, 'insufficient_quota'],
    [keyOf(SPECIAL.deleted), 'model-1', 401, 'invalid_api_key'],
  ] as const) {
    const response = await chat(`sk-${key}`, model);
    const body = await response.text();
    assert.equal(response.status, status, `${key.slice(0, 6)} ${model}: ${body}`);
    if (code !== undefined) assert.equal((JSON.parse(body) as { error: { code: string } }).error.code, code);
  }
  assert.ok(
    gateway.upstream.records.some(({ body }) => (body as { model?: string } | null)?.model === 'sandbox-by-two-steps'),
  );
});

test('ratios are prices with the same arithmetic, groups have their factors, channels their settings (contract-2 11)', async () => {
  const priceOf = async (id: string) =>
    (await gateway.operator<{ price: unknown }>('GET', `/models/${encodeURIComponent(id)}`)).price;
  assert.deepEqual(await priceOf('model-1'), {
    unit: 'tokens',
    input: '0.5',
    output: '2',
    cached_input: '0.25',
    cache_write: '0.625',
  });
  assert.deepEqual(await priceOf('model-2'), {
    unit: 'tokens',
    input: '1',
    output: '1.5',
    image_input: '2',
    audio_input: '16',
    audio_output: '32',
  });
  assert.deepEqual(await priceOf('model-10'), { unit: 'request', amount: '0.04' });
  assert.deepEqual(
    await priceOf('gpt-4.1'),
    { unit: 'tokens', input: '2', output: '4' },
    'new-api has 2 built in for it',
  );
  const groups = await all<{ name: string; multiplier: string }>('/groups');
  const factor = (name: string) => groups.find((one) => one.name === name)?.multiplier;
  assert.deepEqual([factor('default'), factor('vip'), factor('svip-4bb5f1')], ['1', '0.8', '2']);

  const channels = await all<Channel>('/channels');
  const channel = (name: string): Channel => {
    const found = channels.find((one) => one.name === name);
    assert.ok(found !== undefined, name);
    return found;
  };
  assert.equal(channel('channel 2').keys.length, 2);
  assert.deepEqual(
    [channel('channel 12').base_url, Object.keys(channel('channel 12').models)],
    ['https://mine.example/v1', []],
  );
  assert.ok(Object.keys(channel('channel 12 (new-api)').models).includes('model-111'));
  assert.deepEqual(Object.keys(channel('channel 3 #4').headers), ['x-team']);
  assert.deepEqual([channel('channel 8').status, channel('channel 8').priority], ['disabled', 5]);
  assert.deepEqual(
    ['channel 10', 'channel 11', 'channel 1'].map((name) => channel(name).weight),
    [3, 0, 1],
  );
  const azure = channel('channel 22');
  assert.deepEqual(
    [azure.provider, azure.base_url, azure.options.api_version],
    ['azure', 'https://my.openai.azure.com', '2024-10-21'],
  );
  assert.equal(channel('channel 23').base_url, 'https://bedrock-runtime.us-east-1.amazonaws.com');
  assert.equal(channel('channel 23 (eu-west-1)').options.region, 'eu-west-1');
  assert.deepEqual([channel('channel 24').provider, channel('channel 24').keys.length], ['vertex', 1]);
  assert.deepEqual([channel('channel 25').provider, channel('channel 26 (rerank)').provider], ['kling', 'rerank']);
  assert.equal(channel('channel 29').base_url, 'https://ark.cn-beijing.volces.com/api/v3');
  assert.equal(channel('channel 30').base_url, 'https://open.bigmodel.cn/api/coding/paas/v4');
});

test('what changed in the source since is taken over by the next run; what changed here stays (contract-2 11)', async () => {
  const later = structuredClone(tables);
  const [, second] = later['users'] ?? [];
  assert.ok(second !== undefined);
  second['quota'] = Number(second['quota']) - 500_000;
  (later['tokens'] ?? []).push({ ...later['tokens']?.[0], id: 900, key: keyOf(900), name: 'later' });
  const path = join(folder, 'later.db');
  writeSqlite(path, NEW_API, later);
  await gateway.operator('PUT', '/models/model-3', { price: { unit: 'tokens', input: '7', output: '7' } });
  // A key that was taken away on purpose does not come back.
  const idOf = async (key: string): Promise<string> => {
    const hash = createHash('sha256').update(`sk-${key}`).digest('hex');
    const { data } = await gateway.operator<{ data: { id: string }[] }>('GET', `/tokens?key_hash=sha256:${hash}`);
    return data[0]?.id ?? '';
  };
  await gateway.operator('DELETE', `/tokens/${await idOf(keyOf(2))}`);
  await gateway.operator('POST', `/tokens/${await idOf(keyOf(3))}/rotate`, {});
  const report = json(await run('new-api', path, '--yes', '--json'));
  assert.deepEqual(report.made, { groups: 0, models: 0, channels: 0, accounts: 0, credits: 1, tokens: 1 });
  assert.equal(report.sums.expected, report.sums.after);
  assert.ok(
    report.not_taken.some(
      (one: { name: string; reason: string }) => one.name === 'model-3' && /another price here/.test(one.reason),
    ),
  );
  assert.equal((await chat(`sk-${keyOf(900)}`, 'model-1')).status, 200);
  for (const number of [2, 3])
    assert.equal((await chat(`sk-${keyOf(number)}`, 'model-1')).status, 401, `key ${number}`);
  assert.ok(
    report.not_taken.some((one: { kind: string; reason: string }) => /is disabled or removed here/.test(one.reason)),
  );
  const { price } = await gateway.operator<{ price: { input: string } }>('GET', '/models/model-3');
  assert.equal(price.input, '7');
});
