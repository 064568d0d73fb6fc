// GET /v1/models and /v1/models/{model}: exactly what a token may use, and the error of a request for anything else
// (spec 2.7 and 4.2, contract 2).
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { watchAnswers } from './support/watch-answers.ts';
import { postChat, readAnswer, readError } from './support/chat.ts';
import { assertMoneyAddsUp } from './support/money.ts';
import {
  type ChannelOptions,
  makeAccount,
  makeChannel,
  makeToken,
  PRICE,
  suiteGateway,
  uniqueName,
} from './support/world.ts';

interface Entry {
  id: string;
  object: string;
  created: number;
  owned_by: string;
  supported_endpoint_types?: string[];
}

const NOT_FOUND = [404, 'model_not_found'] as const;
const NOT_ALLOWED = [403, 'model_not_allowed'] as const;

describe('models', { concurrency: 8 }, async () => {
  const gateway = await suiteGateway();
  watchAnswers(gateway);

  const get = (key: string, path: string): Promise<Response> =>
    fetch(`${gateway.address}${path}`, { headers: { authorization: `Bearer ${key}` } });

  async function list(key: string): Promise<Entry[]> {
    const response = await get(key, '/v1/models');
    const body = (await response.json()) as { success: boolean; object: string; data: Entry[] };
    assert.equal(response.status, 200);
    assert.deepEqual(Object.keys(body).sort(), ['data', 'object', 'success']);
    assert.deepEqual([body.success, body.object], [true, 'list']);
    return body.data;
  }

  const ask = (key: string, model: string): Promise<Response> =>
    postChat({ gateway, key }, JSON.stringify({ model, messages: [{ role: 'user', content: 'x' }] }));

  /** Of the given models the token sees and may use exactly `visible`; for the others it gets what is said. */
  async function assertSees(
    key: string,
    models: string[],
    expected: Record<string, readonly [number, string] | true>,
  ): Promise<void> {
    const visible = models.filter((model) => expected[model] === true);
    const listed = (await list(key)).map(({ id }) => id).filter((id) => models.includes(id));
    assert.deepEqual(listed.toSorted(), visible.toSorted());
    for (const model of models) {
      const outcome = expected[model];
      const single = await get(key, `/v1/models/${encodeURIComponent(model)}`);
      const asked = await ask(key, model);
      if (outcome === true) {
        assert.equal(single.status, 200, model);
        await readAnswer(asked);
      } else {
        assert.ok(outcome);
        await readError(single, outcome[0], outcome[1]);
        await readError(asked, outcome[0], outcome[1]);
      }
    }
  }

  async function putModels(count: number, overrides: Record<string, unknown>[] = []): Promise<string[]> {
    const prefix = uniqueName('sandbox-listed');
    const models = Array.from({ length: count }, (_, index) => `${prefix}.${index}`);
    for (const [index, model] of models.entries())
      await gateway.operator('PUT', `/models/${model}`, { price: PRICE, ...overrides[index] });
    return models;
  }

  const identity = (models: string[]): Record<string, string> =>
    Object.fromEntries(models.map((model) => [model, 'sandbox-chat']));

  async function account(t: TestContext, facts: Record<string, unknown> = {}): Promise<{ id: string }> {
    const made = await makeAccount(gateway, { name: uniqueName('account'), credit: '10', ...facts });
    t.after(() => assertMoneyAddsUp(gateway, made.id));
    return made;
  }

  test('entries have exactly the fields of the spec, in the list with endpoint types, alone without', async (t) => {
    const endpointTypes = ['compat', 'compat-response'];
    const facts = { owned_by: 'somebody', created: 1_700_000_000, endpoint_types: endpointTypes };
    const [model = ''] = await putModels(1, [facts]);
    await makeChannel(gateway, identity([model]));
    const { key } = await makeToken(gateway, { account_id: (await account(t)).id });
    const entry = { id: model, object: 'model', created: 1_700_000_000, owned_by: 'somebody' };
    const listed = (await list(key)).find(({ id }) => id === model);
    assert.deepEqual(listed, { ...entry, supported_endpoint_types: endpointTypes });
    assert.deepEqual(await (await get(key, `/v1/models/${model}`)).json(), entry);
  });

  test('the types of an entry follow from its price and its channels where nobody said them (spec 2.7, contract 3)', async (t) => {
    const cases: [
      provider: NonNullable<ChannelOptions['provider']>,
      facts: Record<string, unknown>,
      types: string[],
      methods: number,
    ][] = [
      ['openai', {}, ['compat', 'compat-response'], 3],
      ['anthropic', {}, ['compat', 'compat-response'], 3],
      ['gemini', { price: { unit: 'request', amount: '1' } }, ['compat', 'compat-response'], 3],
      ['openai', { endpoint_types: ['embeddings', 'rerank'] }, ['embeddings'], 2],
      ['gemini', { endpoint_types: ['embeddings'] }, ['embeddings'], 2],
      ['openai', { price: { unit: 'image', amount: '1' } }, ['image-generation'], 0],
      ['openai', { price: { unit: 'characters', amount: '1' } }, ['compat'], 0],
      ['openai', { price: { unit: 'audio_second', amount: '1' } }, ['compat'], 0],
      ['rerank', { price: { unit: 'search', amount: '1' } }, ['rerank'], 0],
      ['alpha', { price: { unit: 'second', amount: '1', resolution: { '720P': '1' } } }, ['compat-video'], 0],
      ['beta-video', { price: { unit: 'video_tokens', generate: '1', video_input: '1' } }, ['compat-video'], 0],
      ['rerank', {}, [], 0],
    ];
    const models = await putModels(
      cases.length,
      cases.map(([, facts]) => facts),
    );
    for (const [index, [provider]] of cases.entries())
      await makeChannel(gateway, identity([models[index] ?? '']), { provider });
    const { key } = await makeToken(gateway, { account_id: (await account(t)).id });
    const listed = new Map((await list(key)).map((entry) => [entry.id, entry.supported_endpoint_types]));
    for (const [index, [provider, , types, methods]] of cases.entries()) {
      const model = models[index] ?? '';
      assert.deepEqual(listed.get(model), types, `${index} ${provider}`);
      const native = await fetch(`${gateway.address}/v1beta/models/${model}?key=${key}`);
      const entry = (await native.json()) as { supportedGenerationMethods: string[] };
      assert.equal(entry.supportedGenerationMethods.length, methods, `${index} ${provider}`);
    }
  });

  test('the lists of account and token allow by exact name or prefix', async (t) => {
    const models = await putModels(3);
    const [a = '', b = '', c = ''] = models;
    await makeChannel(gateway, identity(models));
    const narrow = await account(t, { models: [a, b] });
    const token = (list: string[] | null): Promise<{ key: string }> =>
      makeToken(gateway, { account_id: narrow.id, models: list });
    await assertSees((await token(null)).key, models, { [a]: true, [b]: true, [c]: NOT_ALLOWED });
    await assertSees((await token([b, c])).key, models, { [a]: NOT_ALLOWED, [b]: true, [c]: NOT_ALLOWED });
    await assertSees((await token([`${a.slice(0, -1)}*`])).key, models, { [a]: true, [b]: true, [c]: NOT_ALLOWED });
    await assertSees((await token(['*'])).key, models, { [a]: true, [b]: true, [c]: NOT_ALLOWED });
    await assertSees((await token([a.slice(0, -1)])).key, models, {
      [a]: NOT_ALLOWED,
      [b]: NOT_ALLOWED,
      [c]: NOT_ALLOWED,
    });
    await assertSees((await token([])).key, models, { [a]: NOT_ALLOWED, [b]: NOT_ALLOWED, [c]: NOT_ALLOWED });
  });

  test('the group decides by its channels and its own list; a token may have another than its account', async (t) => {
    const models = await putModels(3);
    const [a = '', b = '', c = ''] = models;
    const [gold, silver] = [uniqueName('gold'), uniqueName('silver')];
    await gateway.operator('PUT', `/groups/${gold}`, { multiplier: '1' });
    await gateway.operator('PUT', `/groups/${silver}`, { multiplier: '1', models: [a, c] });
    await makeChannel(gateway, identity([a]));
    await makeChannel(gateway, identity([b]), { groups: [gold, silver] });
    await makeChannel(gateway, identity([c]), { groups: [gold, silver] });
    const { id } = await account(t, { group: gold });
    const key = async (group: string | null): Promise<string> =>
      (await makeToken(gateway, { account_id: id, group })).key;
    await assertSees(await key(null), models, { [a]: true, [b]: true, [c]: true });
    await assertSees(await key(silver), models, { [a]: true, [b]: NOT_FOUND, [c]: true });
    await assertSees(await key('default'), models, { [a]: true, [b]: NOT_FOUND, [c]: NOT_FOUND });
    const nowhere = await key(uniqueName('never-set-up'));
    await readError(await ask(nowhere, a), 403, 'group_not_allowed');
    assert.deepEqual(await list(nowhere), []);
  });

  test('a model exists only where its flag is on', async (t) => {
    const flags = ['all', 'none', 'account', 'group', 'missing'].map((name) => uniqueName(`flag-${name}`));
    const models = await putModels(
      5,
      flags.map((flag) => ({ flag })),
    );
    const [forAll = '', forNone = '', forAccount = '', forGroup = '', unknown = ''] = models;
    await makeChannel(gateway, identity(models));
    const group = uniqueName('flagged');
    await gateway.operator('PUT', `/groups/${group}`, { multiplier: '1' });
    const [one, two] = [await account(t), await account(t, { group })];
    await gateway.operator('PUT', `/flags/${flags[0]}`, { enabled: true });
    await gateway.operator('PUT', `/flags/${flags[1]}`, { enabled: false, accounts: [one.id] });
    await gateway.operator('PUT', `/flags/${flags[2]}`, { enabled: true, accounts: [one.id] });
    await gateway.operator('PUT', `/flags/${flags[3]}`, { enabled: true, groups: [group] });
    const off = { [forNone]: NOT_FOUND, [unknown]: NOT_FOUND, [forAll]: true } as const;
    const first = await makeToken(gateway, { account_id: one.id });
    await assertSees(first.key, models, { ...off, [forAccount]: true, [forGroup]: NOT_FOUND });
    const second = await makeToken(gateway, { account_id: two.id });
    await assertSees(second.key, models, { ...off, [forAccount]: NOT_FOUND, [forGroup]: true });
  });

  test('without a price, a channel or when disabled it is not there; changes show at once', async (t) => {
    const models = await putModels(5, [{}, { price: null }, {}, { enabled: false }, {}]);
    const [good = '', unpriced = '', channelless = '', disabled = '', idle = ''] = models;
    await makeChannel(gateway, identity([good, unpriced, disabled]));
    const channel = await makeChannel(gateway, identity([idle]), { status: 'disabled' });
    const { key } = await makeToken(gateway, { account_id: (await account(t)).id });
    const outside = { [channelless]: NOT_FOUND, [disabled]: NOT_FOUND };
    await assertSees(key, models, { ...outside, [good]: true, [unpriced]: NOT_FOUND, [idle]: NOT_FOUND });
    await gateway.operator('PATCH', `/channels/${channel.id}`, { status: 'enabled' });
    await gateway.operator('PUT', `/models/${unpriced}`, { price: PRICE });
    await gateway.operator('PUT', `/models/${good}`, { price: PRICE, enabled: false });
    await assertSees(key, models, { ...outside, [good]: NOT_FOUND, [unpriced]: true, [idle]: true });
  });

  test('a channel that is merely down keeps its model in the list: the request gets 502, then 503', async (t) => {
    const [model = ''] = await putModels(1);
    await makeChannel(gateway, identity([model]), { keys: ['bad-key'] });
    const { key } = await makeToken(gateway, { account_id: (await account(t)).id });
    await readError(await ask(key, model), 502, 'upstream_error');
    await readError(await ask(key, model), 503, 'no_channel_available');
    assert.ok((await list(key)).some(({ id }) => id === model));
  });

  for (const separator of ['/', '.', ':', '@', '+', '%', '?', '#', ' / '.trim().repeat(2)]) {
    test(`an id with ${separator} is found percent-encoded, and raw where a path can hold it`, async (t) => {
      const model = `${uniqueName('vendor')}${separator}model-1${separator}x`;
      await gateway.operator('PUT', `/models/${encodeURIComponent(model)}`, { price: PRICE });
      await makeChannel(gateway, identity([model]));
      const { key } = await makeToken(gateway, { account_id: (await account(t)).id, models: [model] });
      assert.deepEqual(
        (await list(key)).map(({ id }) => id),
        [model],
      );
      const raw = /[%?#]/.test(separator) ? [] : [model];
      for (const path of [encodeURIComponent(model), ...raw]) {
        const response = await get(key, `/v1/models/${path}`);
        assert.equal(response.status, 200, path);
        assert.equal(((await response.json()) as Entry).id, model);
      }
      await readAnswer(await ask(key, model));
    });
  }

  test('the longest id an operator can give works everywhere', async (t) => {
    const model = uniqueName('long').padEnd(200, '/x');
    await gateway.operator('PUT', `/models/${encodeURIComponent(model)}`, { price: PRICE });
    await makeChannel(gateway, identity([model]));
    const { key } = await makeToken(gateway, { account_id: (await account(t)).id, models: [model] });
    assert.equal((await get(key, `/v1/models/${encodeURIComponent(model)}`)).status, 200);
    await readAnswer(await ask(key, model));
  });
});
