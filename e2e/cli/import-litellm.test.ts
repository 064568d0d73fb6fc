// Moving from LiteLLM: its config.yaml, and the keys in its database (contract-2 11).
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Account } from '#contract/accounts.ts';
import type { Channel } from '#contract/channels.ts';
import type { Token } from '#contract/tokens.ts';
import { makeDatabase } from '../../server/src/testing/templates.ts';
import {
  DATABASE_SERVER,
  NO_DATABASE_SERVER,
  OPERATOR_KEY,
  startTestGateway,
  type TestGateway,
} from '../support/gateway.ts';
import { KEYS, sha256, writeLitellm } from './import/litellm-tables.ts';
import { type CliResult, json, runCli } from './run-cli.ts';

const MASTER = 'sk-litellm-master-1234';
const folder = mkdtempSync(join(tmpdir(), 'tollgate-litellm-'));
const config = join(folder, 'config.yaml');
let gateway: TestGateway;

before(async () => {
  gateway = await startTestGateway();
  const { openai, anthropic } = gateway.upstream.baseUrls();
  writeFileSync(
    config,
    `model_list:
  - model_name: lite-chat
    litellm_params: { model: openai/gpt-4o, api_base: ${openai}, api_key: os.environ/UPSTREAM_KEY, weight: 2 }
  - model_name: lite-chat
    litellm_params: { model: openai/gpt-4o-mini, api_base: ${openai}, api_key: os.environ/UPSTREAM_KEY, weight: 2 }
  - model_name: other-model
    litellm_params:
      model: anthropic/claude-sonnet-4-5
      api_base: ${anthropic}
      api_key: sk-ant-in-the-file
      input_cost_per_token: 0.000003
      output_cost_per_token: 1.5e-05
      cache_read_input_token_cost: 3.0e-07
      timeout: 90
  - model_name: deployed
    litellm_params: { model: azure/my-deployment, api_base: "https://r.openai.azure.com/", api_key: k-1234567, api_version: "2024-10-21" }
    model_info: { base_model: azure/gpt-4o }
  - model_name: nova
    litellm_params: { model: bedrock/converse/us.amazon.nova-pro-v1:0, aws_access_key_id: AKIA, aws_secret_access_key: s, aws_region_name: us-west-2 }
  - model_name: unset
    litellm_params: { model: groq/llama-3.3-70b-versatile, api_key: os.environ/NOT_SET_HERE }
  - model_name: "openai/*"
    litellm_params: { model: "openai/*" }
  - model_name: strange
    litellm_params: { model: petals/petals-team/StableBeluga2 }
router_settings:
  model_group_alias: { gpt-4: lite-chat }
  fallbacks: [{ lite-chat: [other-model] }]
general_settings: { master_key: ${MASTER} }
`,
  );
});
after(async () => {
  await gateway.stop();
  rmSync(folder, { recursive: true, force: true });
});

const run = (...args: string[]): Promise<CliResult> =>
  runCli(['import', 'litellm', ...args], {
    TOLLGATE_URL: gateway.address,
    TOLLGATE_OPERATOR_KEY: OPERATOR_KEY,
    UPSTREAM_KEY: 'upstream-key-of-litellm',
    TZ: 'Asia/Tokyo',
  });
const chat = (key: string, model: string): Promise<Response> =>
  fetch(`${gateway.address}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }], max_tokens: 10 }),
  });
const list = async <T>(path: string): Promise<T[]> =>
  (await gateway.operator<{ data: T[] }>('GET', `${path}?limit=200`)).data;

test('a config.yaml alone: channels by upstream and key, prices by cost, the master key as a token (contract-2 11)', async () => {
  const dry = json(await run(config, '--dry-run', '--json', '--credit', '50'));
  assert.equal(
    (await list<Account>('/accounts')).some(({ name }) => name === 'litellm'),
    false,
  );
  const plan = new Map<string, Channel>(dry.channels.map((one: Channel) => [one.name.split(' ')[1], one]));
  assert.equal(
    dry.channels.filter(({ provider }: Channel) => provider === 'openai').length,
    3,
    'two of one name, and groq',
  );
  assert.deepEqual(
    [plan.get('azure')?.base_url, plan.get('azure')?.options.api_version],
    ['https://r.openai.azure.com', '2024-10-21'],
  );
  assert.deepEqual(
    [plan.get('bedrock')?.models, plan.get('bedrock')?.base_url],
    [{ nova: 'us.amazon.nova-pro-v1:0' }, 'https://bedrock-runtime.us-west-2.amazonaws.com'],
  );
  assert.equal(plan.get('anthropic')?.options.total_ms, 90_000);
  assert.equal(plan.get('groq')?.status, 'disabled');
  const prices = new Map(dry.models.map((one: { id: string; price: unknown }) => [one.id, one.price]));
  assert.deepEqual(prices.get('other-model'), { unit: 'tokens', input: '3', output: '15', cached_input: '0.3' });
  assert.deepEqual(prices.get('gpt-4'), prices.get('lite-chat'));
  assert.equal((prices.get('deployed') as { input: string }).input, '2.5', 'the public price of its base model');
  const reasons = dry.not_taken
    .map((one: Record<string, string>) => `${one['kind']} ${one['name']}: ${one['reason']}`)
    .join('\n');
  for (const words of [
    /^model openai\/\*: names all models/m,
    /^model strange: no kind of upstream/m,
    /^model unset: NOT_SET_HERE is not set/m,
    /^setting fallbacks/m,
  ])
    assert.match(reasons, words);

  const report = json(await run(config, '--yes', '--json', '--credit', '50'));
  assert.deepEqual([report.made.tokens, report.made.credits, report.sums.after], [1, 1, '50']);
  assert.equal((await chat(MASTER, 'lite-chat')).status, 200);
  assert.equal((await chat(MASTER, 'gpt-4')).status, 200);
  assert.equal((await chat(MASTER, 'other-model')).status, 200);
  const again = json(await run(config, '--yes', '--json', '--credit', '50'));
  assert.deepEqual(Object.values(again.made), [0, 0, 0, 0, 0, 0]);
  // Without --credit no money is taken back.
  assert.equal(json(await run(config, '--yes', '--json')).made.credits, 0);
});

test(
  'keys of its database keep working by their hash, with teams, budgets and limits (contract-2 11)',
  { skip: NO_DATABASE_SERVER },
  async () => {
    const address = await makeDatabase(DATABASE_SERVER ?? '');
    await writeLitellm(address);
    const report = json(await run(config, '--database', address, '--yes', '--json', '--credit', '50'));
    assert.equal(report.sums.expected, report.sums.after);
    const accounts = new Map((await list<Account>('/accounts')).map((one) => [one.name, one]));
    assert.deepEqual(
      ['Research', 'Monthly', 'Odd', 'ann@example.com'].map((name) => accounts.get(name)?.balance),
      ['7.5', '50', '50', '0'],
    );
    const monthly = accounts.get('Monthly');
    assert.deepEqual(
      [monthly?.budget, monthly?.budget_period, monthly?.models, monthly?.rate.rpm],
      ['20', 'month', ['lite-chat'], 600],
    );
    assert.equal(accounts.get('Odd')?.status, 'disabled');
    assert.ok(!accounts.has('without keys'));
    const tokens = new Map((await list<Token>('/tokens')).map((one) => [one.name, one]));
    const team = tokens.get('team key');
    assert.deepEqual([team?.quota, team?.quota_period, team?.rate.rpm, team?.models], ['2', 'month', 50, null]);
    assert.equal(tokens.get('expired')?.expires_at, Date.UTC(2020, 0, 1) / 1000);
    assert.deepEqual(tokens.get('lone')?.rate, { rpm: null, tpm: 100_000, concurrency: 4 });
    for (const [key, model, status] of [
      [KEYS.team, 'lite-chat', 200],
      [KEYS.nobody, 'lite-chat', 200],
      [KEYS.listed, 'other-model', 200],
      [KEYS.listed, 'lite-chat', 403],
      [KEYS.user, 'lite-chat', 402],
      [KEYS.blocked, 'lite-chat', 401],
      [KEYS.expired, 'lite-chat', 401],
      [sha256(KEYS.team), 'lite-chat', 401],
    ] as const)
      assert.equal((await chat(key, model)).status, status, `${key} ${model}`);
    const reasons = report.not_taken
      .map((one: Record<string, string>) => `${one['kind']} ${one['name']}: ${one['reason']}`)
      .join('\n');
    for (const words of [
      /^token 1 rows: sign-ins to its web page/m,
      /^account Odd: its budget resets every 42d/m,
      /^account ann@example\.com: has spent more/m,
      /aliases have no equivalent/,
    ])
      assert.match(reasons, words);
    assert.deepEqual(report.history, [
      { what: 'spend log lines', rows: 1, amount: null },
      { what: 'models kept in its database, sealed', rows: 1, amount: null },
    ]);
    // Its library writes addresses with a schema.
    const again = json(
      await run(
        config,
        '--database',
        `${address}?schema=public&connection_limit=10`,
        '--yes',
        '--json',
        '--credit',
        '50',
      ),
    );
    assert.deepEqual(Object.values(again.made), [0, 0, 0, 0, 0, 0]);
  },
);

test('a file or database that is not LiteLLM’s is named (contract-2 11)', async () => {
  const wrong = join(folder, 'wrong.yaml');
  for (const [text, args, code, words] of [
    ['version: 1\nmodels: {}', [], 1, /no configuration of LiteLLM: it has none of model_list/],
    ['include: [not-there.yaml]', [], 1, /not-there\.yaml: ENOENT/],
    ['model_list: [', [], 1, /wrong\.yaml:1: /],
    ['model_list: 5', [], 1, /no configuration of LiteLLM/],
    ['model_list: [{litellm_params: {model: a/b}}]', [], 1, /model_list\[0\] has no "model_name"/],
    ['model_list: [{model_name: a}]', [], 1, /model_list\[0\] has no "litellm_params\.model"/],
    ['{}', ['--database', 'mysql://x/y'], 1, /--database must be postgres/],
    ['{}', ['--credit', 'much'], 2, /It must be an amount/],
  ] as const) {
    writeFileSync(wrong, text);
    const { code: got, err } = await run(wrong, '--dry-run', ...args);
    assert.equal(got, code, err);
    assert.match(err, words);
  }
  assert.match((await run(join(folder, 'none.yaml'))).err, /ENOENT/);
});

test('included files, variables and credentials of the file count; what of a deployment is left is named (contract-2 11)', async () => {
  writeFileSync(
    join(folder, 'more.yaml'),
    'model_list:\n  - model_name: included\n    litellm_params: { model: openai/gpt-4o, api_key: os.environ/OF_THE_FILE }\n',
  );
  const main = join(folder, 'main.yaml');
  writeFileSync(
    main,
    `include: [more.yaml]
environment_variables: { OF_THE_FILE: sk-set-in-the-file }
credential_list:
  - credential_name: shared
    credential_values: { api_key: sk-of-the-list-1234, api_base: "https://llm.example/v1" }
model_list:
  - model_name: by-name
    litellm_params: { model: openai/gpt-4o, litellm_credential_name: shared, rpm: 60, temperature: 0.2 }
general_settings: { master_key: sk-master-of-includes }
`,
  );
  const { channels, not_taken: notTaken } = json(await run(main, '--dry-run', '--json', '--credit', '1'));
  const carrying = (model: string): Channel & { keys: unknown[] } =>
    channels.find(({ models }: Channel) => models[model] !== undefined);
  assert.deepEqual([carrying('included').status, carrying('by-name').status], ['enabled', 'enabled']);
  assert.equal(carrying('by-name').base_url, 'https://llm.example/v1');
  const reasons = notTaken.map(({ name, reason }: Record<string, string>) => `${name}: ${reason}`);
  assert.deepEqual(reasons, ['by-name: rpm, temperature of its litellm_params: not taken over']);
});
