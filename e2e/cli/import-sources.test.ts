// What an import reads from each kind of source, and which it refuses. No gateway is called (contract-2 11).
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeDatabase } from '../../server/src/testing/templates.ts';
import { DATABASE_SERVER, NO_DATABASE_SERVER } from '../support/gateway.ts';
import { afternoon, keyOf, LOGS } from './import/afternoon.ts';
import { NEW_API, ONE_API, writeMysqlDump, writePostgres, writeSqlite } from './import/new-api-schema.ts';
import { type CliResult, json, runCli } from './run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-sources-'));
const database = join(folder, 'one-api.db');
const host = 'https://upstream.example';
const tables = afternoon({ openai: host, anthropic: host, gemini: host, serviceAccount: '{"type":"service_account"}' });
writeSqlite(database, NEW_API, tables);
after(() => rmSync(folder, { recursive: true, force: true }));

const run = (...args: string[]): Promise<CliResult> => runCli(['import', ...args], {});

test('what cannot be taken over is named with its reason (contract-2 11)', async () => {
  const { not_taken: notTaken } = json(await run('new-api', database, '--dry-run', '--json'));
  const reasons = (notTaken as { kind: string; name: string; reason: string }[]).map(
    (one) => `${one.kind} ${one.name}: ${one.reason}`,
  );
  for (const words of [
    /^account user8: its balance -0\.5 is below zero/,
    /^account user10: deleted there \(balance 20\.000016\)/,
    /^money invitation rewards: 0\.002/,
    /^token 1 rows: deleted there/,
    /^token .*#412: its user was deleted/,
    /^token .*#410: its group is auto/,
    /^token .*#408: "my-office" is no address/,
    /^channel channel 2: 1 of its keys are switched off/,
    /^channel channel 3 #4: its header authorization cannot be set/,
    /^channel channel 9: its proxy socks5:\/\/ is not an HTTP proxy/,
    /^channel channel 9: its system prompt/,
    /^channel channel 9: param_override/,
    /^channel channel 28: Dify is an application platform/,
    /^price kling-v2: videos are charged/,
    /^price model-300: it has no ratio/,
    /^group svip!: is called "svip-4bb5f1" here/,
    /^group vip using default/,
    /^sign-in passwords/,
  ])
    assert.ok(
      reasons.some((reason) => words.test(reason)),
      `${words.source}\n${reasons.join('\n')}`,
    );
});

test(
  'a MySQL dump and PostgreSQL say the same as the SQLite file (contract-2 11)',
  { skip: NO_DATABASE_SERVER },
  async () => {
    const dump = join(folder, 'dump.sql');
    writeMysqlDump(dump, NEW_API, tables);
    const address = await makeDatabase(DATABASE_SERVER ?? '');
    await writePostgres(address, NEW_API, { ...tables, logs: (tables['logs'] ?? []).slice(0, 20) });
    const file = json(await run('new-api', database, '--dry-run', '--json'));
    assert.equal(file.history[0].rows, LOGS);
    assert.deepEqual(json(await run('new-api', dump, '--dry-run', '--json')), file);
    const { history, ...rest } = json(await run('new-api', address, '--dry-run', '--json'));
    const { history: _, ...expected } = file;
    assert.deepEqual(rest, expected);
    assert.deepEqual(history[0], { what: 'log lines', rows: 20, amount: '0.004' });
  },
);

test('one-api: its own types, models and subnets of tokens, ratios built in (contract-2 11)', async () => {
  const path = join(folder, 'other.db');
  writeSqlite(path, ONE_API, {
    users: [{ id: 1, username: 'root', status: 1, quota: 1_000_000, group: 'default' }],
    tokens: [
      {
        id: 1,
        user_id: 1,
        key: keyOf(77),
        status: 1,
        name: 'a',
        expired_time: -1,
        unlimited_quota: true,
        models: 'gpt-4o,m',
        subnet: '127.0.0.0/8,10.0.0.1',
      },
    ],
    channels: [
      { id: 1, type: 29, key: 'k', status: 1, name: 'groq', models: 'm', group: 'default', config: '{}' },
      {
        id: 2,
        type: 33,
        key: '',
        status: 1,
        name: 'aws',
        models: 'claude',
        group: 'default',
        config: '{"ak":"AK","sk":"SK","region":"us-west-2"}',
      },
      {
        id: 3,
        type: 50,
        key: 'k',
        status: 1,
        name: 'own',
        base_url: 'https://own.example/v1/',
        models: 'gpt-4o',
        group: 'default',
        config: '',
      },
    ],
    options: [
      { key: 'ModelRatio', value: '{"m":1.5}' },
      { key: 'GroupRatio', value: '{"default":1}' },
    ],
  });
  const plan = json(await run('one-api', path, '--dry-run', '--json'));
  assert.deepEqual(
    plan.channels.map(({ provider, base_url: base, keys }: Record<string, unknown>) => [provider, base, keys]),
    [
      ['openai', 'https://api.groq.com/openai/v1', 1],
      ['bedrock', 'https://bedrock-runtime.us-west-2.amazonaws.com', 1],
      ['openai', 'https://own.example/v1', 1],
    ],
  );
  assert.deepEqual(
    [plan.tokens[0].models, plan.tokens[0].ip_allow],
    [
      ['gpt-4o', 'm'],
      ['127.0.0.0/8', '10.0.0.1'],
    ],
  );
  const priced = Object.fromEntries(plan.models.map(({ id, price }: { id: string; price: unknown }) => [id, price]));
  assert.deepEqual(priced.m, { unit: 'tokens', input: '3', output: '3' });
  assert.equal(priced['gpt-4o'].input, '2.5');
  assert.equal(plan.sums.before, '2');
  const wrong = await run('new-api', path, '--dry-run');
  assert.deepEqual(
    [wrong.code, wrong.err],
    [1, 'tollgate: the source is a database of one-api: use tollgate import one-api.\n'],
  );
});

test("--pricing: the program's own answer counts before what is saved and built in (contract-2 11)", async () => {
  const path = join(folder, 'pricing.json');
  writeFileSync(
    path,
    JSON.stringify({
      data: [
        { model_name: 'model-1', quota_type: 0, model_ratio: 2, completion_ratio: 3, model_price: 0 },
        { model_name: 'gpt-4.1', quota_type: 0, model_ratio: 1, completion_ratio: 4 },
        { model_name: 'model-4', quota_type: 1, model_ratio: 0, model_price: 0.5 },
      ],
      group_ratio: { vip: 0.5 },
    }),
  );
  const plan = json(await run('new-api', database, '--dry-run', '--json', '--pricing', path));
  const priced = Object.fromEntries(plan.models.map(({ id, price }: { id: string; price: unknown }) => [id, price]));
  assert.deepEqual(priced['model-1'], { unit: 'tokens', input: '4', output: '12' });
  assert.deepEqual(priced['gpt-4.1'], { unit: 'tokens', input: '2', output: '8' });
  assert.deepEqual(priced['model-4'], { unit: 'request', amount: '0.5' });
  assert.equal(plan.groups.find(({ name }: { name: string }) => name === 'vip').multiplier, '0.5');
});

test('a source that cannot be read is named with what to do (contract-2 11)', async () => {
  const text = join(folder, 'notes.txt');
  writeFileSync(text, 'hello');
  const empty = join(folder, 'empty.db');
  writeSqlite(empty, { other: [['id', 'integer']] }, {});
  for (const [args, code, words] of [
    [['new-api'], 2, /missing required argument 'source'/],
    [['new-api', join(folder, 'none.db')], 1, /none\.db: ENOENT/],
    [['new-api', text], 1, /notes\.txt is neither a SQLite database nor a MySQL dump/],
    [['new-api', empty], 1, /has no table "users": it is no database of new-api/],
    [['new-api', 'mysql://root:secret@127.0.0.1/db'], 1, /Make a dump.*mysqldump --single-transaction/],
    [['new-api', 'postgres://u:secret@127.0.0.1:1/db'], 1, /postgres:\/\/127\.0\.0\.1:1\/db: .*ECONNREFUSED/],
    [['new-api', 'oracle://x'], 1, /oracle:\/\/ is no address that can be read/],
    [['new-api', database, '--pricing', text], 1, /notes\.txt: .*JSON/],
    [['frob', 'x'], 2, /unknown command/],
  ] as const) {
    const { code: got, err } = await run(...args);
    assert.equal(got, code, err);
    assert.match(err, words);
    assert.ok(!err.includes('secret'));
  }
});
