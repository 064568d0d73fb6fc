// Clouds through the gateway (contract-2 9): credentials, tokens, frames and failures that only they have.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import { startConnectProxy } from '../server/src/testing/connect-proxy.ts';
import type { SandboxProvider, SandboxRecord } from '../server/src/sandbox/server.ts';
import { balanceOf } from './support/money.ts';
import { watchAnswers } from './support/watch-answers.ts';
import { makeAccount, makeChannel, makeToken, PRICE, suiteGateway, uniqueName } from './support/world.ts';

const gateway = await suiteGateway();
watchAnswers(gateway);
const sandbox = gateway.upstream;

const CLAUDE = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';
const NOVA = 'amazon.nova-2-lite-v1:0';
const SIGNED = { keys: ['AKIDSANDBOX:sandbox-secret'], options: { region: 'us-east-1' } };

interface Offer {
  provider: SandboxProvider;
  upstream: string;
  keys?: string[];
  options?: Record<string, unknown>;
  behave?: string;
  priority?: number;
}

async function makeCloud(...offers: Offer[]) {
  const name = uniqueName('cloud');
  const account = await makeAccount(gateway, { name, credit: '100' });
  await gateway.operator('PUT', `/models/${name}`, { price: PRICE });
  const channels = [];
  for (const { provider, upstream, keys, options = {}, behave, priority = 0 } of offers) {
    const base_url = sandbox.baseUrl(provider, behave);
    const more = keys === undefined ? {} : { keys };
    channels.push(await makeChannel(gateway, { [name]: upstream }, { provider, base_url, options, priority, ...more }));
  }
  const { key } = await makeToken(gateway, { account_id: account.id });
  const ask = (path: string, body: object): Promise<Response> =>
    fetch(`${gateway.address}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'x-api-key': key,
        'anthropic-version': '2023-06-01',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ model: name, ...body }),
    });
  return { name, account, key, ask, channels };
}

const entraOf = (secret: string): Offer => ({
  provider: 'azure',
  upstream: 'gpt-4o-mini',
  keys: [JSON.stringify({ tenant_id: 't', client_id: 'c', client_secret: secret })],
  options: { token_url: `${sandbox.baseUrl('azure')}/t/oauth2/v2.0/token` },
});
const vertexOf = (upstream: string): Offer => ({
  provider: 'vertex',
  upstream,
  keys: [JSON.stringify(sandbox.serviceAccount())],
  options: { location: 'us-central1', token_url: `${sandbox.baseUrl('vertex')}/token` },
});
const CHAT = { messages: [{ role: 'user', content: 'Hello clouds' }] };
const MESSAGES = { max_tokens: 50, ...CHAT };
const userMessage = (words: string): { messages: object[] } => ({ messages: [{ role: 'user', content: words }] });
const lastOf = (path: RegExp): SandboxRecord | undefined => sandbox.records.findLast((one) => path.test(one.path));

test('azure: one token for all calls, renewed once after it expired, never in an answer or a log (contract-2 9)', async () => {
  const { ask, channels } = await makeCloud(entraOf('the-secret-of-entra-1'));
  const before = sandbox.records.filter(({ path }) => path.endsWith('/token')).length;
  const answers = await Promise.all([1, 2, 3, 4].map(() => ask('/v1/chat/completions', CHAT)));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200],
  );
  const tokens = (): number => sandbox.records.filter(({ path }) => path.endsWith('/token')).length - before;
  assert.equal(tokens(), 1);
  sandbox.expireTokens();
  assert.equal((await ask('/v1/chat/completions', CHAT)).status, 200);
  assert.equal(tokens(), 2);
  const channel = await gateway.operator('GET', `/channels/${channels[0]?.id}`);
  assert.doesNotMatch(JSON.stringify(channel), /the-secret-of-entra|sandbox-token/);
});

test('azure: a secret that Entra refuses is a refused key, and nothing is charged (contract-2 9)', async () => {
  const { ask, account } = await makeCloud(entraOf('bad-secret-of-entra'));
  const answer = await ask('/v1/chat/completions', CHAT);
  assert.equal(answer.status, 502);
  assert.doesNotMatch(await answer.text(), /bad-secret|AADSTS/);
  assert.equal(await balanceOf(gateway, account.id), '100');
});

test('azure: responses and embeddings go to /openai/v1 with the key in its own header (contract-2 9)', async () => {
  const { ask } = await makeCloud({ provider: 'azure', upstream: 'gpt-4o', keys: ['azure-key-1'] });
  assert.equal((await ask('/v1/responses', { input: 'Hello' })).status, 200);
  assert.equal((await ask('/v1/embeddings', { input: 'Hello' })).status, 200);
  const record = lastOf(/azure\/openai\/v1\/embeddings$/);
  assert.equal(record?.headers['api-key'], '***');
});

test('bedrock: a client of messages gets the bytes of InvokeModel, streamed too, and its tokens are counted (contract-2 9)', async () => {
  const { name, key } = await makeCloud({ provider: 'bedrock', upstream: CLAUDE, ...SIGNED });
  const client = new Anthropic({ baseURL: gateway.address, apiKey: key, maxRetries: 0 });
  const ask = { model: name, max_tokens: 60, messages: [{ role: 'user' as const, content: 'Hello clouds' }] };
  const whole = await client.messages.create(ask);
  const streamed = await client.messages.stream(ask).finalMessage();
  assert.deepEqual([streamed.content, streamed.usage.output_tokens], [whole.content, whole.usage.output_tokens]);
  const record = lastOf(/\/invoke-with-response-stream$/);
  assert.deepEqual(Object.keys(record?.body as object), ['max_tokens', 'messages', 'anthropic_version']);
  const counted = await client.messages.countTokens({ model: name, messages: ask.messages });
  assert.equal(counted.input_tokens, whole.usage.input_tokens);
  assert.match(lastOf(/\/count-tokens$/)?.path ?? '', /\/model\/anthropic\.claude/);
});

test('bedrock: a bearer key works as a signature does, and a wrong secret is a refused key (contract-2 9)', async () => {
  const bearer = await makeCloud({ provider: 'bedrock', upstream: NOVA, keys: ['bedrock-api-key-1'] });
  assert.equal((await bearer.ask('/v1/chat/completions', CHAT)).status, 200);
  const wrong = { ...SIGNED, keys: ['AKIDSANDBOX:another-secret'] };
  const { ask } = await makeCloud({ provider: 'bedrock', upstream: NOVA, ...wrong });
  assert.equal((await ask('/v1/chat/completions', CHAT)).status, 502);
});

for (const upstream of [CLAUDE, NOVA])
  for (const behave of ['throttle-event-0', 'damaged-frame-0', 'fail-424', 'error-event-0'])
    test(`bedrock: ${behave} before the first word moves ${upstream === CLAUDE ? 'Claude' : 'Nova'} to the next channel (contract-2 9)`, async () => {
      const { ask } = await makeCloud(
        { provider: 'bedrock', upstream, ...SIGNED, behave },
        { provider: 'bedrock', upstream, ...SIGNED, priority: -1 },
      );
      const answer = await ask('/v1/messages', { ...MESSAGES, stream: true });
      const text = await answer.text();
      assert.equal(answer.status, 200);
      assert.match(text, /message_stop/);
      assert.doesNotMatch(text, /event: error/);
    });

for (const upstream of [CLAUDE, NOVA])
  for (const behave of ['damaged-frame-3', 'cut-3', 'throttle-event-3', 'end-3'])
    test(`bedrock: ${behave} in the middle ends the stream of ${upstream === CLAUDE ? 'Claude' : 'Nova'} with an error and no garbage (contract-2 9)`, async () => {
      const { ask } = await makeCloud({ provider: 'bedrock', upstream, ...SIGNED, behave });
      const text = await (await ask('/v1/messages', { ...MESSAGES, stream: true })).text();
      const events = text.split('\n\n').filter((event) => event.startsWith('event: '));
      for (const event of events) JSON.parse(event.slice(event.indexOf('data: ') + 6));
      assert.match(events.at(-1) ?? '', /^event: error/);
      assert.ok(events.filter((event) => event.includes('content_block_delta')).length >= 2, text);
    });

test('vertex: Claude by rawPredict, open models by the compatible endpoint, counting, and tokens that are renewed (contract-2 9)', async () => {
  const claude = await makeCloud(vertexOf('claude-sonnet-4-5@20250929'));
  const client = new Anthropic({ baseURL: gateway.address, apiKey: claude.key, maxRetries: 0 });
  const ask = { model: claude.name, max_tokens: 60, messages: [{ role: 'user' as const, content: 'Hello clouds' }] };
  const whole = await client.messages.create(ask);
  sandbox.expireTokens();
  const streamed = await client.messages.stream(ask).finalMessage();
  assert.deepEqual(streamed.content, whole.content);
  assert.match(lastOf(/:streamRawPredict$/)?.path ?? '', /\/projects\/sandbox-project\/locations\/us-central1\//);
  const counted = await client.messages.countTokens({ model: claude.name, messages: ask.messages });
  assert.equal(counted.input_tokens, whole.usage.input_tokens);

  const open = await makeCloud(vertexOf('meta/llama-4-maverick'));
  assert.equal((await open.ask('/v1/chat/completions', CHAT)).status, 200);
  assert.equal((await open.ask('/v1/messages', { ...MESSAGES, stream: true })).status, 200);
  assert.ok(lastOf(/\/endpoints\/openapi\/chat\/completions$/) !== undefined);

  const express = await makeCloud({ provider: 'vertex', upstream: 'gemini-2.5-flash', keys: ['express-key-1'] });
  assert.equal((await express.ask('/v1/chat/completions', CHAT)).status, 200);
  assert.match(lastOf(/gemini-2\.5-flash:generateContent$/)?.path ?? '', /^\/vertex\/v1\/publishers\//);
});

test('an operator’s test of a channel is asked in the words of its model (contract-2 9)', async () => {
  for (const offer of [
    { provider: 'bedrock', upstream: CLAUDE, ...SIGNED } as const,
    vertexOf('gemini-2.5-pro'),
    entraOf('s-123456'),
  ]) {
    const { name, channels } = await makeCloud(offer);
    const result = await gateway.operator<{ ok: boolean }>('POST', `/channels/${channels[0]?.id}/test`, {
      model: name,
    });
    assert.equal(result.ok, true, JSON.stringify(result));
  }
});

test('calls and tokens of a channel go through its own proxy (contract-2 9)', async (t: TestContext) => {
  const { port, host } = new URL(sandbox.address);
  const proxy = await startConnectProxy(t, { [host]: Number(port) });
  const offer = entraOf('the-secret-behind-a-proxy');
  const { ask } = await makeCloud({
    ...offer,
    options: { ...offer.options, proxy: proxy.url.replace('//', '//user:pass-word@') },
  });
  const answer = await ask('/v1/chat/completions', userMessage('Hello'));
  assert.equal(answer.status, 200);
  assert.ok(proxy.asked.length >= 2, 'the token and the call');
  assert.deepEqual([...new Set(proxy.credentials)], [`Basic ${Buffer.from('user:pass-word').toString('base64')}`]);
});

interface Previewed {
  data: { id: string; carried_as: string | null; list_price: object | null }[];
  list_error: string | null;
  test: { ok: boolean; message: string } | null;
}

const listed: readonly [offer: Offer, wanted: string][] = [
  [{ provider: 'openai', upstream: 'gpt-4o' }, 'gpt-4o'],
  [{ provider: 'anthropic', upstream: 'claude-sonnet-4-5' }, 'claude-sonnet-4-5'],
  [{ provider: 'gemini', upstream: 'gemini-2.5-flash' }, 'gemini-2.5-flash'],
  [{ provider: 'azure', upstream: 'gpt-4o', keys: ['azure-key-2'] }, 'gpt-4o'],
  [{ provider: 'bedrock', upstream: NOVA, ...SIGNED }, NOVA],
  [vertexOf('gemini-2.5-pro'), 'gemini-2.5-pro'],
];
for (const [offer, wanted] of listed)
  test(`${offer.provider}: its models are listed, saved or not, and a preview tests a model (contract-2 9)`, async () => {
    const { name, channels } = await makeCloud(offer);
    const saved = await gateway.operator<Previewed>('GET', `/channels/${channels[0]?.id}/upstream-models`);
    assert.equal(saved.data.find(({ id }) => id === wanted)?.carried_as, name);
    const { provider, upstream, keys = ['sandbox-key-1'], options = {} } = offer;
    const before = await gateway.operator<{ data: object[] }>('GET', '/channels');
    const draft = { name: uniqueName('draft'), provider, base_url: sandbox.baseUrl(provider), keys, options };
    const preview = await gateway.operator<Previewed>('POST', '/channels/preview', { ...draft, model: upstream });
    assert.deepEqual([preview.list_error, preview.test?.ok], [null, true], JSON.stringify(preview.test));
    assert.ok(preview.data.some(({ id, carried_as: carried }) => id === wanted && carried === null));
    const afterwards = await gateway.operator<{ data: object[] }>('GET', '/channels');
    assert.equal(afterwards.data.length, before.data.length);
  });

test('a preview says why there is no list and why the test failed, without keys (contract-2 9)', async () => {
  const draft = {
    name: 'draft',
    provider: 'openai',
    base_url: sandbox.baseUrl('openai'),
    keys: ['bad-key-of-a-draft'],
  };
  const refused = await gateway.operator<Previewed>('POST', '/channels/preview', { ...draft, model: 'gpt-4o' });
  assert.deepEqual([refused.data, refused.test?.ok], [[], false]);
  assert.match(refused.list_error ?? '', /keys/);
  assert.doesNotMatch(JSON.stringify(refused), /bad-key-of-a-draft/);
  const video = { ...draft, provider: 'alpha', base_url: sandbox.baseUrl('alpha') };
  assert.match((await gateway.operator<Previewed>('POST', '/channels/preview', video)).list_error ?? '', /cannot list/);
});
