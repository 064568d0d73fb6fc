// The configuration as a file: plan, apply, export (contract-2 11).
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parse } from 'yaml';
import { OPERATOR_KEY, startTestGateway, type TestGateway } from '../support/gateway.ts';
import type { ConfigDrift } from '#contract/config-file.ts';
import { type CliResult, json, runCli } from './run-cli.ts';

let gateway: TestGateway;
const folder = mkdtempSync(join(tmpdir(), 'tollgate-config-'));
const file = join(folder, 'tollgate.yaml');

const FIRST = `version: 1
groups:
  vip: { multiplier: "0.8" }
accounts:
  Acme: { group: vip, budget: "10.50", budget_period: month }
flags:
  beta: { enabled: true, accounts: [Acme] }
models:
  cfg-chat: { price: { unit: tokens, input: "2.50", output: "10" }, flag: beta }
channels:
  cfg-main:
    provider: openai
    base_url: https://upstream.example/v1/
    keys: [env:CFG_KEY, env:CFG_KEY2]
    headers: { x-team: env:CFG_HEADER }
    models: { cfg-chat: gpt-x }
    options: { rpm: 60 }
tokens:
  cfg-app: { account: Acme, models: ["cfg-*"], rate: { rpm: 5 } }
  cfg-old: { account: Acme, key: env:CFG_TOKEN }
`;
const SECRETS = {
  CFG_KEY: 'sk-upstream-key-number-0001',
  CFG_KEY2: 'sk-upstream-key-number-0002',
  CFG_HEADER: 'a header value that is secret',
  CFG_TOKEN: 'sk-a-key-that-clients-already-have',
  CFG_CHAT: 'https://hooks.slack.com/services/T0/B0/secret',
};

before(async () => {
  gateway = await startTestGateway();
});
after(async () => {
  await gateway.stop();
  rmSync(folder, { recursive: true, force: true });
});

const run = (...args: string[]): Promise<CliResult> =>
  runCli(args, { TOLLGATE_URL: gateway.address, TOLLGATE_OPERATOR_KEY: OPERATOR_KEY, ...SECRETS });

test('plan changes nothing, apply does, a second apply changes nothing (contract-2 11)', async () => {
  writeFileSync(file, FIRST);
  const planned = await run('plan', '-f', file);
  assert.equal(planned.code, 0, planned.err);
  assert.match(planned.out, /^\+ channel +cfg-main$/m);
  assert.match(planned.out, /7 to create, 0 to change, 0 to remove/);
  assert.equal(json(await run('accounts', 'list', '--q', 'Acme', '--json')).data.length, 0);
  assert.equal((await run('apply', '-f', file)).code, 1); // nobody can be asked

  const applied = json(await run('apply', '-f', file, '--yes', '--json'));
  assert.deepEqual(
    applied.keys.map(({ token }: { token: string }) => token),
    ['cfg-app'],
  );
  const again = await run('apply', '-f', file, '--yes');
  assert.match(again.out, /^0 to create, 0 to change, 0 to remove\.\nNothing to do\.\n$/);
  const usage = await fetch(`${gateway.address}/v1/usage`, {
    headers: { authorization: `Bearer ${SECRETS.CFG_TOKEN}` },
  });
  assert.equal(usage.status, 200);
  const [channel] = json(await run('channels', 'list', '--json')).data.filter(
    (one: { name: string }) => one.name === 'cfg-main',
  );
  assert.deepEqual(
    [channel.base_url, channel.options.rpm, channel.keys.length],
    ['https://upstream.example/v1', 60, 2],
  );
});

test('what others change is drift, and the next apply undoes it (contract-2 11)', async () => {
  await gateway.operator('PUT', '/models/cfg-chat', { price: null });
  const [channel] = json(await run('channels', 'list', '--json')).data.filter(
    (one: { name: string }) => one.name === 'cfg-main',
  );
  await gateway.operator('DELETE', `/channels/${channel.id}`);
  const { data } = await gateway.operator<{ data: { drift: ConfigDrift[] }[] }>('GET', '/config-files');
  const [first] = data;
  assert.deepEqual(
    first?.drift.map(({ changed_at, ...one }) => ({ ...one, at: typeof changed_at })),
    [
      {
        kind: 'models',
        name: 'cfg-chat',
        action: 'changed',
        fields: ['price', 'flag'],
        id: 'cfg-chat',
        changed_by: 'operator-key',
        at: 'number',
      },
      {
        kind: 'channels',
        name: 'cfg-main',
        action: 'removed',
        fields: [],
        id: null,
        changed_by: 'operator-key',
        at: 'number',
      },
    ],
  );
  const shown = await run('plan', '-f', file);
  assert.match(shown.out, /^\+ channel +cfg-main +\(drift: removed by operator-key at \d{4}-/m);
  assert.match(shown.out, /^~ model +cfg-chat +\(drift: changed by operator-key at \d{4}-/m);
  const { changes } = json(await run('plan', '-f', file, '--json'));
  assert.deepEqual(
    changes.map(({ name, action }: { name: string; action: string }) => [name, action]),
    [
      ['cfg-chat', 'update'],
      ['cfg-main', 'create'],
    ],
  );
  assert.equal((await run('apply', '-f', file, '--yes')).code, 0);
  const after_ = await gateway.operator<{ data: { drift: unknown[] }[] }>('GET', '/config-files');
  assert.deepEqual(after_.data[0]?.drift, []);
});

test('--prune removes what the file made and no longer names, nothing else (contract-2 11)', async () => {
  await gateway.operator('PUT', '/models/not-of-the-file', {});
  const less = FIRST.replace(/  cfg-chat: .*\n/, '')
    .replace('{ cfg-chat: gpt-x }', '{}')
    .replace(/  cfg-old: .*\n/, '')
    .replace('models:\nchannels', 'channels');
  writeFileSync(file, less);
  assert.match((await run('plan', '-f', file)).out, /0 to remove/);
  const pruned = await run('apply', '-f', file, '--yes', '--prune');
  assert.equal(pruned.code, 0, pruned.err);
  assert.match(pruned.out, /^- token +cfg-old$/m);
  const ids = json(await run('models', 'list', '--all', '--json')).data.map(({ id }: { id: string }) => id);
  assert.ok(ids.includes('not-of-the-file') && !ids.includes('cfg-chat'));
  assert.match((await run('apply', '-f', file, '--yes', '--prune')).out, /Nothing to do/);
});

test('a broken file names its line and field; no secret may stand in it (contract-2 11)', async () => {
  for (const [text, words] of [
    ['models:\n  a: {price: {unit: tokens, input: 1}}\n', /tollgate\.yaml:2: "models\.a\.price/],
    ['version: 1\nmodelz: {}\n', /tollgate\.yaml:2: "modelz"/],
    ['models: [\n', /tollgate\.yaml:2: /],
    [
      'channels:\n  c:\n    provider: openai\n    base_url: https://x.example\n    keys: [sk-in-the-clear]\n',
      /:5: "channels\.c\.keys\.0": must be env:NAME/,
    ],
    ['channels: {c: {provider: openai, base_url: "https://x.example", keys: [env:NOT_SET]}}', /NOT_SET is not set/],
    [
      'channels:\n  c:\n    base_url: https://x.example\n    provider: opnai\n',
      /:4: "channels\.c\.provider" must be one of openai,/,
    ],
  ] as const) {
    writeFileSync(file, text);
    const { code, err } = await run('plan', '-f', file);
    assert.equal(code, 1);
    assert.match(err, words);
  }
});

test('what the gateway refuses names the place in the file and how far apply came (contract-2 11)', async () => {
  writeFileSync(
    file,
    'models:\n  cfg-first: {price: {unit: request, amount: "1"}}\nchannels:\n  c: {provider: openai, base_url: "https://x.example", options: {account_id: acc_none}}\n',
  );
  const { code, err } = await run('apply', '-f', file, '--yes');
  assert.equal(code, 1);
  assert.match(
    err,
    /:4: "channels\.c": 400: "options\.account_id" .*\n1 of 2 changes are applied; mend the file and apply it again\.\n$/,
  );
});

test('editors get a JSON schema of the file: the files of the pages hold to it, broken ones do not (contract-2 11)', async () => {
  const schema = json(await runCli(['export', '--schema'], {}));
  const { Ajv2020 } = await import('ajv/dist/2020.js');
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
  const examples = ['docs/production.md', 'docs/command-line.md'].flatMap((page) =>
    Array.from(
      readFileSync(page, 'utf8').matchAll(/^version: 1\n(?:.*\n)*?(?=END$|```$)/gm),
      ([text]) => parse(text) as unknown,
    ),
  );
  assert.equal(examples.length, 2);
  for (const example of [...examples, parse(FIRST) as unknown])
    assert.ok(validate(example), JSON.stringify(validate.errors));
  for (const broken of [
    { modelz: {} },
    { models: { a: { price: { unit: 'tokens', input: 1 } } } },
    { channels: { c: { provider: 'openai', base_url: 'https://x.example', keys: ['sk-in-the-clear'] } } },
  ])
    assert.ok(!validate(broken), JSON.stringify(broken));
});

test('what is exported applies without a change, and has no secret (contract-2 11)', async () => {
  writeFileSync(file, FIRST);
  assert.equal((await run('apply', '-f', file, '--yes')).code, 0);
  const exported = await run('export');
  assert.equal(exported.code, 0, exported.err);
  for (const secret of Object.values(SECRETS)) assert.ok(!exported.out.includes(secret));
  assert.match(exported.out, /env:CFG_MAIN_KEY_1/);
  writeFileSync(file, exported.out);
  const planned = await runCli(['plan', '-f', file], {
    TOLLGATE_URL: gateway.address,
    TOLLGATE_OPERATOR_KEY: OPERATOR_KEY,
    CFG_MAIN_KEY_1: SECRETS.CFG_KEY,
    CFG_MAIN_KEY_2: SECRETS.CFG_KEY2,
    CFG_MAIN_X_TEAM: SECRETS.CFG_HEADER,
  });
  assert.equal(planned.code, 0, planned.err);
  assert.match(planned.out, /^0 to create, 0 to change, 0 to remove/);
});

test('alert rules and sinks are part of the file; their secrets are named (contract-2 10)', async () => {
  const alerts = join(folder, 'alerts.yaml');
  const text = (days: number): string => `name: alerts
alert_rules:
  model_retires: { thresholds: { days: ${days} } }
  store_slow: { enabled: false }
alert_sinks:
  chat: { kind: slack, url: env:CFG_CHAT, rules: [channel_down] }
  hook: { kind: webhook, url: https://hooks.example/x }
`;
  writeFileSync(alerts, text(30));
  const first = await run('apply', '-f', alerts, '--yes');
  assert.equal(first.code, 0, first.err);
  assert.match(first.out + first.err, /the secret of the sink "hook", shown only now: whsec_/);
  assert.match((await run('apply', '-f', alerts, '--yes')).out, /Nothing to do/);
  writeFileSync(alerts, text(20));
  const { changes } = json(await run('plan', '-f', alerts, '--json'));
  assert.deepEqual(changes[0].fields, { thresholds: { from: { days: 30 }, to: { days: 20 } } });
  assert.equal((await run('apply', '-f', alerts, '--yes')).code, 0);
  const exported = json(await run('export', '--json'));
  assert.deepEqual(exported.alert_rules, {
    store_slow: { enabled: false, thresholds: { milliseconds: 2000 } },
    model_retires: { thresholds: { days: 20 } },
  });
  assert.deepEqual(exported.alert_sinks, {
    chat: { kind: 'slack', url: 'env:CHAT_URL', rules: ['channel_down'] },
    hook: { kind: 'webhook', url: 'https://hooks.example/x' },
  });
  const { data } = await gateway.operator<{ data: { name: string; drift: unknown[] }[] }>('GET', '/config-files');
  assert.deepEqual(data.find(({ name }) => name === 'alerts')?.drift, []);
  writeFileSync(alerts, 'name: alerts\nalert_sinks: { chat: { kind: slack, url: https://hooks.slack.com/x } }\n');
  assert.match((await run('plan', '-f', alerts)).err, /must be env:NAME or file:path/);
  writeFileSync(alerts, 'name: alerts\n');
  assert.equal((await run('apply', '-f', alerts, '--yes', '--prune')).code, 0);
  const rules = await gateway.operator<{ data: { rule: string; enabled: boolean }[] }>('GET', '/alerts/rules');
  assert.ok(rules.data.every(({ enabled }) => enabled));
  assert.deepEqual((await gateway.operator<{ data: unknown[] }>('GET', '/alerts/sinks')).data, []);
});
