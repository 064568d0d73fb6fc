import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { GatewayError } from '../errors/gateway-error.ts';
import type { Catalogue, ChannelFacts, Flag, Model } from './catalogue.ts';
import { allows, modelAccess, type ModelScope, readPatterns, visibleModels } from './visible-models.ts';

const PRICE = { unit: 'request', amount: 1n, text: '{}' } as const;

const model = (id: string, facts: Partial<Model> = {}): Model => ({
  id,
  ownedBy: 'acme',
  endpointTypes: ['compat'],
  price: PRICE,
  enabled: true,
  flag: undefined,
  maxOutputTokens: undefined,
  created: 0,
  ...facts,
});

const channel = (models: string[], facts: Partial<ChannelFacts> = {}): ChannelFacts => ({
  id: models.join('+'),
  name: 'channel',
  provider: 'openai',
  baseUrl: 'http://upstream.example',
  models: new Map(models.map((id) => [id, id])),
  groups: [],
  priority: 0,
  weight: 1,
  enabled: true,
  sandbox: false,
  headers: {},
  options: {
    connectMs: 1,
    firstByteMs: 1,
    idleMs: 1,
    totalMs: 1,
    concurrency: undefined,
    rpm: undefined,
    dropFields: [],
    speaks: undefined,
    archive: undefined,
    accountId: undefined,
    sharedObjects: false,
  },
  keys: [],
  ...facts,
});

const flag = (name: string, facts: Partial<Flag> = {}): [string, Flag] => [
  name,
  { name, enabled: true, accounts: [], groups: [], ...facts },
];

const group = (
  name: string,
  models?: string[],
): [string, Catalogue['groups'] extends ReadonlyMap<string, infer G> ? G : never] => [
  name,
  { name, multiplier: '1', multiplierNano: 1_000_000_000n, models },
];

const scopeOf = (facts: Partial<ModelScope> = {}): ModelScope => ({
  accountId: 'acc',
  accountStatus: 'active',
  accountModels: undefined,
  tokenModels: undefined,
  group: 'default',
  mode: 'live',
  ...facts,
});

const models = [
  model('plain'),
  model('a/slash.dot:colon'),
  model('sandboxed'),
  model('vip-only'),
  model('unpriced', { price: undefined }),
  model('disabled', { enabled: false }),
  model('uncarried'),
  model('stopped'),
  model('flag-everywhere', { flag: 'everywhere' }),
  model('flag-account', { flag: 'for-account' }),
  model('flag-group', { flag: 'for-group' }),
  model('flag-off', { flag: 'off' }),
  model('flag-unknown', { flag: 'nobody-made-it' }),
];
const everywhere = models
  .map(({ id }) => id)
  .filter((id) => !['vip-only', 'uncarried', 'stopped', 'sandboxed'].includes(id));

const catalogue: Catalogue = {
  models: new Map(models.map((each) => [each.id, each])),
  groups: new Map([group('default'), group('vip'), group('narrow', ['pla*', 'vip-only'])]),
  flags: new Map([
    flag('everywhere'),
    flag('for-account', { accounts: ['friend'] }),
    flag('for-group', { groups: ['vip'], accounts: ['friend'] }),
    flag('off', { enabled: false, accounts: ['acc'], groups: ['default'] }),
  ]),
  channels: [
    channel(everywhere),
    channel(['vip-only'], { groups: ['vip', 'named-by-channel'] }),
    channel(['stopped'], { enabled: false }),
    channel(['sandboxed'], { sandbox: true }),
  ],
  sandbox: true,
};
const withoutSandbox: Catalogue = {
  ...catalogue,
  sandbox: false,
  channels: catalogue.channels.filter(({ sandbox }) => !sandbox),
};

const BASIC = ['a/slash.dot:colon', 'flag-everywhere', 'plain', 'sandboxed'];

function visible(scope: Partial<ModelScope>, of = catalogue): string[] {
  return visibleModels(of, scopeOf(scope)).map(({ id }) => id);
}

function outcome(modelId: string, scope: Partial<ModelScope>, of = catalogue): string {
  try {
    return modelAccess(of, scopeOf(scope), modelId).model.id;
  } catch (error) {
    assert.ok(error instanceof GatewayError);
    assert.ok(error.message.includes(modelId.slice(0, 200)), 'the message names the model');
    return `${error.status} ${error.code}`;
  }
}

describe('GET /v1/models shows exactly the set of contract 2, sorted', () => {
  for (const [what, scope, expected] of [
    ['a plain token', {}, BASIC],
    ["a token's list", { tokenModels: ['plain', 'flag-*', 'unpriced'] }, ['flag-everywhere', 'plain']],
    ["an account's list", { accountModels: ['a/*', 'disabled'] }, ['a/slash.dot:colon']],
    ['both lists', { accountModels: ['plain', 'sandboxed'], tokenModels: ['p*', 'a*'] }, ['plain']],
    ['an empty list', { tokenModels: [] }, []],
    ['a disabled account', { accountStatus: 'disabled' }, []],
    ['a flag for the account', { accountId: 'friend' }, [...BASIC, 'flag-account', 'flag-group'].sort()],
    ['a flag and a channel for the group', { group: 'vip' }, [...BASIC, 'flag-group', 'vip-only'].sort()],
    ["the group's own list", { group: 'narrow' }, ['plain']],
    ['a group that only a channel names', { group: 'named-by-channel' }, [...BASIC, 'vip-only'].sort()],
    ['a group nobody knows', { group: 'nowhere' }, []],
    ['a test token', { mode: 'test' }, ['sandboxed']],
  ] as [string, Partial<ModelScope>, string[]][]) {
    test(`for ${what}`, () => assert.deepEqual(visible(scope), expected));
  }

  test('for a test token while the sandbox is off: nothing', () => {
    assert.deepEqual(visible({ mode: 'test' }, withoutSandbox), []);
  });
});

describe('a request for a model outside that set', () => {
  for (const [what, modelId, scope, expected] of [
    ['inside after all', 'plain', {}, 'plain'],
    ['unknown', 'nothing', {}, '404 model_not_found'],
    ['unknown and not on the list', 'nothing', { tokenModels: ['plain'] }, '404 model_not_found'],
    ['a name of the language', '__proto__', {}, '404 model_not_found'],
    ["excluded by the token's list", 'plain', { tokenModels: ['other'] }, '403 model_not_allowed'],
    ["excluded by the account's list", 'plain', { accountModels: ['other'] }, '403 model_not_allowed'],
    ['excluded by a list and disabled', 'disabled', { accountModels: [] }, '403 model_not_allowed'],
    ['excluded by a list and hidden by its flag', 'flag-off', { tokenModels: [] }, '404 model_not_found'],
    ["excluded by the group's list", 'sandboxed', { group: 'narrow' }, '404 model_not_found'],
    ['of a group nobody knows', 'plain', { group: 'nowhere' }, '403 group_not_allowed'],
    ['of the group "default"', 'plain', { group: 'default' }, 'plain'],
    ['carried for another group only', 'vip-only', {}, '404 model_not_found'],
    ['carried by no channel', 'uncarried', {}, '404 model_not_found'],
    ['carried by a disabled channel', 'stopped', {}, '404 model_not_found'],
    ['disabled', 'disabled', {}, '404 model_not_found'],
    ['without a price', 'unpriced', {}, '404 model_not_found'],
    ['whose flag is off', 'flag-off', {}, '404 model_not_found'],
    ['whose flag is on for others', 'flag-account', {}, '404 model_not_found'],
    ['whose flag does not exist', 'flag-unknown', {}, '404 model_not_found'],
    ['outside the sandbox for a test token', 'plain', { mode: 'test' }, '404 model_not_found'],
    ['of a disabled account', 'plain', { accountStatus: 'disabled' }, '403 account_disabled'],
  ] as [string, string, Partial<ModelScope>, string][]) {
    test(what, () => assert.equal(outcome(modelId, scope), expected));
  }

  test('by a test token while the sandbox is off is 503, whatever the model', () => {
    for (const id of ['plain', 'sandboxed', 'nothing']) {
      assert.equal(outcome(id, { mode: 'test' }, withoutSandbox), '503 no_channel_available');
    }
  });

  test('is refused without echoing more than a name is long', () => {
    assert.equal(outcome('x'.repeat(100_000), {}), '404 model_not_found');
    assert.throws(
      () => modelAccess(catalogue, scopeOf(), 'x'.repeat(100_000)),
      (error: Error) => error.message.length < 400,
    );
  });
});

test('what is listed is what is served, for any catalogue and any token', () => {
  const ids = ['a', 'ab', 'b', 'b/c'];
  const mostly = fc.constantFrom(true, true, true, true, false);
  const names = fc.subarray(['default', 'vip', 'other'], { maxLength: 2 });
  const patterns = fc.option(fc.subarray([...ids, 'a*', '*', 'b/*']), { nil: undefined, freq: 1 });
  const anyModel = fc.record({
    price: mostly.map((priced) => (priced ? PRICE : undefined)),
    enabled: mostly,
    flag: fc.constantFrom(undefined, undefined, 'f', 'unknown'),
  });
  const anyChannel = fc.record({ groups: names, enabled: mostly, sandbox: fc.boolean() });
  const anyCatalogue = fc
    .record({
      models: fc.tuple(anyModel, anyModel, anyModel, anyModel),
      groups: fc.dictionary(fc.constantFrom('default', 'vip'), patterns),
      flag: fc.record({ enabled: mostly, accounts: fc.subarray(['acc', 'friend']), groups: names }),
      channels: fc.array(fc.tuple(fc.subarray(ids, { minLength: 1 }), anyChannel), { minLength: 1, maxLength: 4 }),
      sandbox: mostly,
    })
    .map((parts) => ({
      models: new Map(parts.models.map((facts, index) => [ids[index] ?? '', model(ids[index] ?? '', facts)])),
      groups: new Map(Object.entries(parts.groups).map(([name, list]) => group(name, list))),
      flags: new Map([flag('f', parts.flag)]),
      channels: parts.channels.map(([carried, facts]) => channel(carried, facts)),
      sandbox: parts.sandbox,
    }));
  const anyScope: fc.Arbitrary<ModelScope> = fc.record({
    accountId: fc.constantFrom('acc', 'friend'),
    accountStatus: mostly.map((active) => (active ? 'active' : 'disabled')),
    accountModels: patterns,
    tokenModels: patterns,
    group: fc.constantFrom('default', 'vip', 'other', 'nowhere'),
    mode: mostly.map((live) => (live ? 'live' : 'test')),
  });

  let runs = 0;
  let runsWithModels = 0;
  fc.assert(
    fc.property(anyCatalogue, anyScope, (of, scope) => {
      const listed = visible(scope, of);
      const served = [...ids, 'unknown'].filter((id) => outcome(id, scope, of) === id);
      assert.deepEqual(listed, served.toSorted());
      runs += 1;
      if (listed.length > 0) runsWithModels += 1;
    }),
    { numRuns: 2_000 },
  );
  assert.ok(runsWithModels > runs / 10, `only ${runsWithModels} of ${runs} runs had something to list`);
});

test('no list allows every model, an empty list none', () => {
  assert.equal(allows(undefined, 'gpt'), true);
  assert.equal(allows([], 'gpt'), false);
});

test('a pattern is an exact name or a prefix followed by *', () => {
  for (const [pattern, model, expected] of [
    ['gpt-4', 'gpt-4', true],
    ['gpt-4', 'gpt-4o', false],
    ['gpt-4', 'GPT-4', false],
    ['gpt-4*', 'gpt-4', true],
    ['gpt-4*', 'gpt-4o', true],
    ['gpt-4*', 'gpt-3', false],
    ['*', 'any/thing:1.0', true],
    ['vendor/*', 'vendor/model.v2:free', true],
    ['vendor/*', 'vendor', false],
    ['g.t*', 'gpt', false],
  ] as const) {
    assert.equal(allows([pattern], model), expected, `${pattern} ~ ${model}`);
    assert.equal(allows(['other', pattern], model), expected, `other, ${pattern} ~ ${model}`);
  }
});

test('the store keeps a list as JSON text and every model as null', () => {
  assert.equal(readPatterns(null), undefined);
  assert.deepEqual(readPatterns('["a","b*"]'), ['a', 'b*']);
});
