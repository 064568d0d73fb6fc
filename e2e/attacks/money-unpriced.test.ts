// What a caller may ask for that costs the operator more than plain tokens: a better tier, a long prompt, tools that run at
// the provider. Each of them had the price of a plain call (contract-2 9).
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import type { LoggedRequest } from '#contract/requests.ts';
import { nano, requestOf } from '../support/money.ts';
import { makeWorld, type World, type WorldOptions } from '../support/world.ts';
import { attackedGateway } from './attacked-gateway.ts';

type Body = Record<string, unknown>;

interface Entry {
  name: string;
  provider: 'openai' | 'anthropic' | 'gemini';
  path(model: string, stream: boolean): string;
  body(model: string, text: string): Body;
  /** What asks for a better tier, and for a search. */
  tier: Body;
  search: Body;
  headers?: Record<string, string>;
}

const user = (content: string): Body[] => [{ role: 'user', content }];

const entries: Entry[] = [
  {
    name: 'chat',
    provider: 'openai',
    path: () => '/v1/chat/completions',
    body: (model, text) => ({ model, messages: user(text), max_completion_tokens: 20 }),
    tier: { service_tier: 'priority' },
    search: { web_search_options: {} },
  },
  {
    name: 'responses',
    provider: 'openai',
    path: () => '/v1/responses',
    body: (model, text) => ({ model, input: text, max_output_tokens: 20 }),
    tier: { service_tier: 'priority' },
    search: { tools: [{ type: 'web_search' }] },
  },
  {
    name: 'messages',
    provider: 'anthropic',
    path: () => '/v1/messages',
    body: (model, text) => ({ model, messages: user(text), max_tokens: 20 }),
    tier: { speed: 'fast' },
    search: { tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 5 }] },
    headers: { 'anthropic-version': '2023-06-01', 'anthropic-beta': 'fast-mode-2026-02-01' },
  },
  {
    name: 'generate-content',
    provider: 'gemini',
    path: (model, stream) => `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: (_, text) => ({ contents: [{ role: 'user', parts: [{ text }] }], generationConfig: { maxOutputTokens: 20 } }),
    tier: { serviceTier: 'priority' },
    search: { tools: [{ googleSearch: {} }] },
  },
];

const PLAIN = { unit: 'tokens', input: '2.5', output: '10' } as const;
const DEAR = {
  ...PLAIN,
  tiers: { priority: '2', fast: '2', flex: '0.5' },
  tools: { web_search: '0.01' },
} as const;

interface Answered {
  response: Response;
  log: LoggedRequest;
  dropped: string | null;
  /** The body that the upstream got. */
  sent: Body | undefined;
}

const gateway = await attackedGateway();

function worldOf(
  t: TestContext,
  provider: Entry['provider'],
  model: NonNullable<WorldOptions['model']>,
): Promise<World> {
  return makeWorld(gateway, t, { model, channels: [{ provider, base_url: gateway.upstream.baseUrl(provider) }] });
}

async function send(world: World, entry: Entry, more: Body & { text?: string; stream?: boolean }): Promise<Response> {
  const { text = 'What is new?', stream = false, ...fields } = more;
  const isGemini = entry.name === 'generate-content';
  return fetch(`${gateway.address}${entry.path(world.model, stream)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/json', ...entry.headers },
    body: JSON.stringify({ ...entry.body(world.model, text), ...fields, ...(stream && !isGemini && { stream }) }),
  });
}

async function ask(world: World, entry: Entry, more: Parameters<typeof send>[2]): Promise<Answered> {
  const before = gateway.upstream.records.length;
  const response = await send(world, entry, more);
  assert.equal(response.status, 200, await response.clone().text());
  await response.text();
  const log = await requestOf(gateway, response);
  const sent = gateway.upstream.records
    .slice(before)
    .find(({ path, body }) => `${path} ${String((body as Body | null)?.['model'])}`.includes(`${world.model}.`));
  return { response, log, dropped: response.headers.get('x-tollgate-dropped'), sent: sent?.body as Body | undefined };
}

const countOf = ({ usage }: LoggedRequest, name: string): bigint => BigInt(Number(usage?.[name] ?? 0));
const plainCost = (log: LoggedRequest): bigint =>
  countOf(log, 'input_tokens') * 2_500n + countOf(log, 'output_tokens') * 10_000n;
const SEARCH = 10_000_000n;

describe('a caller who wants more than plain tokens for the price of plain tokens', () => {
  for (const entry of entries)
    for (const stream of [false, true]) {
      const how = `${entry.name}${stream ? ', streamed' : ''}`;

      test(`gets no better tier that has no price, and reads so (contract-2 9, ${how})`, async (t) => {
        const world = await worldOf(t, entry.provider, { price: PLAIN });
        const { log, dropped, sent } = await ask(world, entry, { ...entry.tier, stream });
        const [field = ''] = Object.keys(entry.tier);
        assert.equal(dropped, field);
        assert.ok(sent !== undefined && !(field in sent), 'the upstream was asked for the tier all the same');
        assert.equal(nano(log.charge), plainCost(log));
      });

      test(`pays for the better tier that it gets (contract-2 9, ${how})`, async (t) => {
        const world = await worldOf(t, entry.provider, { price: DEAR });
        const { log, dropped, sent } = await ask(world, entry, { ...entry.tier, stream });
        assert.equal(dropped, null);
        assert.deepEqual({ ...entry.tier, ...sent }, sent);
        assert.equal(nano(log.charge), 2n * plainCost(log), log.arithmetic ?? '');
        assert.match(log.arithmetic ?? '', /x 2 \(tier (priority|fast)\)$/);
        assert.ok(log.usage?.['service_tier'] === 'priority' || log.usage?.['service_tier'] === 'fast');
      });

      test(`pays for the tier that the provider reports, whatever was asked for (contract-2 9, ${how})`, async (t) => {
        const world = await worldOf(t, entry.provider, { price: DEAR });
        const dear = await ask(world, entry, { text: 'Quick? [[served-priority]]', stream });
        assert.equal(nano(dear.log.charge), 2n * plainCost(dear.log));
        const cheap = await ask(world, entry, { text: 'Cheap? [[served-flex]]', stream });
        assert.equal(2n * nano(cheap.log.charge), plainCost(cheap.log));
      });

      test(`pays for a long prompt, all of it (contract-2 9, ${how})`, async (t) => {
        const above = [{ input_tokens: 40, input: '5', output: '15' }];
        const world = await worldOf(t, entry.provider, { price: { ...PLAIN, above } });
        const long = await ask(world, entry, { text: 'Again and again. '.repeat(30), stream });
        assert.ok(countOf(long.log, 'input_tokens') > 40n);
        const cost = countOf(long.log, 'input_tokens') * 5_000n + countOf(long.log, 'output_tokens') * 15_000n;
        assert.equal(nano(long.log.charge), cost, long.log.arithmetic ?? '');
        const short = await ask(world, entry, { text: 'Hi', stream });
        assert.equal(nano(short.log.charge), plainCost(short.log));
      });

      test(`pays for every search of the provider (contract-2 9, ${how})`, async (t) => {
        const world = await worldOf(t, entry.provider, { price: DEAR });
        // A chat shows its sources, but not how often it searched for them.
        const searches = entry.name === 'chat' ? 1n : 3n;
        const { log, dropped } = await ask(world, entry, { ...entry.search, text: 'News? [[tool-uses 3]]', stream });
        assert.equal(dropped, null);
        assert.deepEqual(log.usage?.['tools'], { web_search: Number(searches) });
        assert.equal(nano(log.charge), plainCost(log) + searches * SEARCH, log.arithmetic ?? '');
        const none = await ask(world, entry, { ...entry.search, stream });
        assert.equal(nano(none.log.charge), plainCost(none.log), 'a tool that was not used costs nothing');
      });

      test(`has searches without a price counted and named as unpriced (contract-2 9, ${how})`, async (t) => {
        const world = await worldOf(t, entry.provider, { price: PLAIN });
        const { log, dropped } = await ask(world, entry, { ...entry.search, text: 'News? [[tool-uses 2]]', stream });
        assert.equal(dropped, null);
        assert.equal(nano(log.charge), plainCost(log));
        assert.match(log.arithmetic ?? '', /; unpriced: [12] web_search$/);
        const path = `/requests?unpriced=true&account_id=${world.account.id}`;
        const { data } = await gateway.operator<{ data: LoggedRequest[] }>('GET', path);
        assert.deepEqual(
          data.map(({ id }) => id),
          [log.id],
        );
      });

      test(`gets neither where the model drops what has no price (contract-2 9, ${how})`, async (t) => {
        const world = await worldOf(t, entry.provider, { price: PLAIN, pass_unpriced: false });
        const asked = { ...entry.tier, ...entry.search, text: 'News? [[tool-uses 2]]', stream };
        const { log, dropped, sent } = await ask(world, entry, asked);
        const [tier = ''] = Object.keys(entry.tier);
        const [search = ''] = Object.keys(entry.search);
        assert.ok(dropped?.includes(tier) && dropped.includes(search), `dropped: ${dropped}`);
        assert.ok(sent !== undefined && !(tier in sent) && !(search in sent));
        assert.equal(log.usage?.['tools'], undefined);
        assert.equal(nano(log.charge), plainCost(log));
      });

      test(`gets both at the plain price only where the model says so (contract-2 9, ${how})`, async (t) => {
        const world = await worldOf(t, entry.provider, { price: PLAIN, pass_unpriced: true });
        const asked = { ...entry.tier, ...entry.search, text: 'News? [[tool-uses 1]]', stream };
        const { log, dropped, sent } = await ask(world, entry, asked);
        assert.equal(dropped, null);
        assert.deepEqual({ ...entry.tier, ...entry.search, ...sent }, sent);
        assert.equal(nano(log.charge), plainCost(log));
        assert.match(log.arithmetic ?? '', /; unpriced: 1 web_search, tier (priority|fast)$/);
      });
    }
});

describe('the same through a translation', () => {
  const [chat, , messages, gemini] = entries as [Entry, Entry, Entry, Entry];
  const pairs: [client: Entry, upstream: Entry][] = [
    [chat, messages],
    [chat, gemini],
    [messages, chat],
    [gemini, chat],
  ];
  for (const [client, upstream] of pairs)
    for (const stream of [false, true])
      test(`tiers and searches of ${upstream.name} are charged to a client of ${client.name}${stream ? ', streamed' : ''} (contract-2 9)`, async (t) => {
        const world = await worldOf(t, upstream.provider, { price: DEAR });
        const { log } = await ask(world, client, { text: 'Quick? [[served-priority]]', stream });
        assert.equal(nano(log.charge), 2n * plainCost(log), log.arithmetic ?? '');
        const plain = await worldOf(t, upstream.provider, { price: PLAIN });
        const dropped = await ask(plain, client, { ...client.tier, stream });
        const [tier = ''] = Object.keys(client.tier);
        assert.ok(dropped.dropped?.split(', ').includes(tier), `dropped: ${dropped.dropped}`);
        assert.equal(nano(dropped.log.charge), plainCost(dropped.log));
      });
});

describe('a tier that was never sent', () => {
  const [chat, , , gemini] = entries as [Entry, Entry, Entry, Entry];
  const price = { ...PLAIN, tiers: { flex: '0.5', scale: '2' } };
  const provider = 'gemini' as const; // reports no tier but a better one

  for (const stream of [false, true])
    for (const [client, field] of [
      [gemini, 'serviceTier'],
      [chat, 'service_tier'],
    ] as const) {
      const how = `${client.name}${stream ? ', streamed' : ''}`;

      test(`is not charged where the channel drops its field (contract-2 9, ${how})`, async (t) => {
        const options = { drop_fields: ['serviceTier'] };
        const channels = [{ provider, base_url: gateway.upstream.baseUrl(provider), options }];
        const world = await makeWorld(gateway, t, { model: { price }, channels });
        const { log } = await ask(world, client, { [field]: 'flex', stream });
        assert.equal(nano(log.charge), plainCost(log), log.arithmetic ?? '');
        assert.equal(log.usage?.['service_tier'], undefined);
      });
    }

  test('is not charged where the translation has no word for it (contract-2 9)', async (t) => {
    const world = await worldOf(t, provider, { price });
    const { log, dropped } = await ask(world, chat, { service_tier: 'scale' });
    assert.equal(dropped, 'service_tier');
    assert.equal(nano(log.charge), plainCost(log), log.arithmetic ?? '');
  });
});

describe('two fields that ask for more', () => {
  const [chat, , messages] = entries as [Entry, Entry, Entry];
  const both = { speed: 'fast', service_tier: 'priority' };

  test('are judged each: neither hides the other (contract-2 9)', async (t) => {
    for (const [tiers, gone] of [
      [{}, ['speed', 'service_tier']],
      [{ fast: '2' }, ['service_tier']],
    ] as const) {
      const world = await worldOf(t, 'anthropic', { price: { ...PLAIN, tiers } });
      const { dropped, sent } = await ask(world, messages, both);
      assert.deepEqual(dropped?.split(', ') ?? [], gone);
      assert.deepEqual([sent?.['speed'], sent?.['service_tier']], ['fast' in tiers ? 'fast' : undefined, undefined]);
    }
  });

  test('are judged each through a translation too (contract-2 9)', async (t) => {
    const world = await worldOf(t, chat.provider, { price: { ...PLAIN, tiers: { priority: '3' } } });
    const { log, dropped, sent } = await ask(world, messages, both);
    assert.ok(dropped?.split(', ').includes('speed') && !dropped.includes('service_tier'), `dropped: ${dropped}`);
    assert.equal(sent?.['service_tier'], 'priority');
    assert.equal(nano(log.charge), 3n * plainCost(log), log.arithmetic ?? '');
  });
});

describe('ways around the price of a tier', () => {
  const [chat] = entries as [Entry];

  test('named twice it is refused, and in other letters too (contract-2 9)', async (t) => {
    const world = await worldOf(t, 'openai', { price: PLAIN });
    const post = (fields: string): Promise<Response> =>
      fetch(`${gateway.address}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' },
        body: `{"model":"${world.model}","messages":[{"role":"user","content":"Hi"}],${fields}}`,
      });
    for (const fields of [
      '"service_tier":"default","service_tier":"priority"',
      '"service_tier":"default","service\\u005ftier":"priority"',
      '"Service_Tier":"priority"',
    ]) {
      const response = await post(fields);
      const { error } = (await response.json()) as { error: { param: string } };
      assert.deepEqual([response.status, error.param], [400, 'service_tier'], fields);
    }
    for (const fields of ['"service\\u005ftier":"priority"', '"service_tier":["priority"]', '"service_tier":{"a":1}']) {
      const response = await post(fields);
      assert.deepEqual([response.status, response.headers.get('x-tollgate-dropped')], [200, 'service_tier'], fields);
      await response.text();
    }
    for (const { body } of world.calls()) assert.ok(!('service_tier' in (body as Body)));
  });

  test('a strict caller is refused, and nothing is sent (contract 5)', async (t) => {
    const world = await worldOf(t, 'openai', { price: PLAIN });
    const response = await fetch(`${gateway.address}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${world.key}`,
        'content-type': 'application/json',
        'x-tollgate-strict': 'true',
      },
      body: JSON.stringify({ ...chat.body(world.model, 'Hi'), ...chat.tier }),
    });
    const { error } = (await response.json()) as { error: { param: string } };
    assert.deepEqual([response.status, error.param], [400, 'service_tier']);
    assert.equal(world.calls().length, 0);
  });

  test('auto and default go through as they came (contract-2 9)', async (t) => {
    const world = await worldOf(t, 'openai', { price: PLAIN });
    for (const service_tier of ['auto', 'default', null]) {
      const { dropped, sent } = await ask(world, chat, { service_tier });
      assert.deepEqual([dropped, sent?.['service_tier']], [null, service_tier]);
    }
  });

  test('a balance that covers only the plain tier buys no better one (promise M-14)', async (t) => {
    const price = { unit: 'tokens', input: '0', output: '1000', tiers: { priority: '3' } } as const;
    const channels = [{ base_url: gateway.upstream.baseUrl('openai') }];
    const world = await makeWorld(gateway, t, { credit: '0.025', model: { price }, channels });
    const response = await send(world, chat, chat.tier); // 20 tokens are 0.02, three times that are not there
    assert.equal(response.status, 402);
    assert.equal((await send(world, chat, { service_tier: 'default' })).status, 200);
  });
});
