// /v2/chat and /v2/embed with Cohere's own library, on models of every kind of provider (issue "every client works
// unchanged", point 8).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Cohere, CohereClientV2, CohereError } from 'cohere-ai';
import { assertCharged, moneyOf, post } from './support/endpoint-checks.ts';
import { nano, requestsOf } from './support/money.ts';
import { watchAnswers } from './support/watch-answers.ts';
import { type ChannelOptions, makeToken, makeWorld, suiteGateway, type World } from './support/world.ts';

const PNG =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const weather: Cohere.ToolV2 = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Weather of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};
const TYPED = ['openai', 'anthropic', 'gemini'] as const;

function client({ gateway, key }: Pick<World, 'gateway' | 'key'>): CohereClientV2 {
  return new CohereClientV2({ token: key, environment: gateway.address, maxRetries: 0 });
}

function textOf(content: Cohere.AssistantMessageResponseContentItem[] | undefined): string {
  return (content ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** What the events of a stream add up to, as a client puts them together. */
async function gather(events: AsyncIterable<Cohere.V2ChatStreamResponse>) {
  const calls: { name: string; arguments: string }[] = [];
  const types: string[] = [];
  let text = '';
  let end: Cohere.ChatMessageEndEventDelta | undefined;
  for await (const event of events) {
    types.push(event.type);
    if (event.type === 'content-delta') text += event.delta?.message?.content?.text ?? '';
    if (event.type === 'tool-call-start') {
      const { name = '', arguments: first = '' } = event.delta?.message?.toolCalls?.function ?? {};
      calls[event.index ?? 0] = { name, arguments: first };
    }
    const call = calls[event.type === 'tool-call-delta' ? (event.index ?? 0) : -1];
    if (event.type === 'tool-call-delta' && call !== undefined)
      call.arguments += event.delta?.message?.toolCalls?.function?.arguments ?? '';
    if (event.type === 'message-end') end = event.delta;
  }
  return { text, calls, types, end };
}

describe('cohere', { concurrency: 8 }, async () => {
  const gateway = await suiteGateway();
  watchAnswers(gateway);
  const channelOf = (provider: (typeof TYPED)[number], behave?: string): ChannelOptions => ({
    provider,
    base_url: gateway.upstream.baseUrl(provider, behave),
  });

  for (const provider of TYPED) {
    const worldOf = (t: Parameters<typeof makeWorld>[1]) => makeWorld(gateway, t, { channels: [channelOf(provider)] });

    test(`a chat is answered whole and streamed, and charged by its usage (${provider})`, async (t) => {
      const world = await worldOf(t);
      const ask = { model: world.model, messages: [{ role: 'user' as const, content: 'Hello' }] };
      const whole = await client(world).chat(ask);
      assert.match(textOf(whole.message.content), /^You said: Hello/);
      assert.equal(whole.finishReason, 'COMPLETE');
      const { inputTokens = 0, outputTokens = 0 } = whole.usage?.tokens ?? {};
      assert.deepEqual(whole.usage?.billedUnits, { inputTokens, outputTokens });
      const due = BigInt(inputTokens) * 2_500n + BigInt(outputTokens) * 10_000n;
      const [logged] = await requestsOf(gateway, { account_id: world.account.id });
      assert.deepEqual([logged?.endpoint, nano(logged?.charge ?? '0')], ['/v2/chat', due]);
      assert.equal((await moneyOf(world))['settle'], due);

      const streamed = await gather(await client(world).chatStream(ask));
      assert.equal(streamed.text, textOf(whole.message.content));
      assert.equal(streamed.types[0], 'message-start');
      assert.equal(streamed.end?.finishReason, 'COMPLETE');
      assert.deepEqual(streamed.end?.usage?.tokens, { inputTokens, outputTokens });
      const rows = await requestsOf(gateway, { account_id: world.account.id });
      assert.deepEqual(
        rows.map(({ charge }) => nano(charge)),
        [due, due],
      );
    });

    test(`a tool makes its round trip, whole and streamed (${provider})`, async (t) => {
      const world = await worldOf(t);
      const question: Cohere.ChatMessageV2 = { role: 'user', content: 'get_weather now' };
      const ask = { model: world.model, messages: [question], tools: [weather] };
      const called = await client(world).chat(ask);
      const [call] = called.message.toolCalls ?? [];
      assert.equal(called.finishReason, 'TOOL_CALL');
      assert.equal(call?.function?.name, 'get_weather');
      assert.deepEqual(JSON.parse(call?.function?.arguments ?? ''), { city: 'sample city' });
      const streamed = await gather(await client(world).chatStream(ask));
      assert.deepEqual(streamed.calls, [call?.function]);
      assert.equal(streamed.end?.finishReason, 'TOOL_CALL');
      const { role, toolCalls = [] } = called.message;
      const answered = await client(world).chat({
        ...ask,
        messages: [
          question,
          { role, toolPlan: 'I look it up.', toolCalls },
          {
            role: 'tool',
            toolCallId: call?.id ?? '',
            content: [{ type: 'document', document: { data: { sky: 'rain' } } }],
          },
        ],
      });
      assert.match(textOf(answered.message.content), /rain/);
    });

    test(`a schema, a picture and documents are understood (${provider})`, async (t) => {
      const world = await worldOf(t);
      const jsonSchema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
      const messages: Cohere.ChatMessages = [{ role: 'user', content: 'As JSON' }];
      const formed = await client(world).chat({
        model: world.model,
        messages,
        responseFormat: { type: 'json_object', jsonSchema },
      });
      assert.equal(typeof (JSON.parse(textOf(formed.message.content)) as { city: unknown }).city, 'string');
      const seen = await client(world).chat({
        model: world.model,
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'What is this?' },
              { type: 'image_url', imageUrl: { url: PNG } },
            ],
          },
        ],
        documents: ['The boat is red.'],
      });
      assert.notEqual(textOf(seen.message.content), '');
      const sent = gateway.upstream.records.findLast(
        ({ path, rawBody }) => path.includes(world.model) || rawBody.includes(world.model),
      );
      assert.match(sent?.rawBody ?? '', /The boat is red\./);
      assert.match(sent?.rawBody ?? '', /iVBORw0KGgo/);
    });
  }

  for (const provider of ['openai', 'gemini'] as const) {
    test(`texts become vectors, as floats and in base64 (${provider})`, async (t) => {
      const world = await makeWorld(gateway, t, { channels: [channelOf(provider)] });
      const made = await client(world).embed({
        model: world.model,
        inputType: 'search_document',
        texts: ['a cat', 'a kitten'],
        embeddingTypes: ['float', 'base64'],
        outputDimension: 8,
      });
      const [first = []] = made.embeddings.float ?? [];
      assert.deepEqual([made.embeddings.float?.length, first.length], [2, 8]);
      const bytes = Buffer.from(made.embeddings.base64?.[0] ?? '', 'base64');
      assert.ok(Math.abs(bytes.readFloatLE(0) - (first[0] ?? 0)) < 1e-6);
      const tokens = made.meta?.billedUnits?.inputTokens ?? 0;
      assert.ok(tokens > 0);
      assert.equal((await moneyOf(world))['settle'], BigInt(tokens) * 2_500n);
    });
  }

  test('errors have the message where the library looks for it, also inside a stream', async (t) => {
    const world = await makeWorld(gateway, t);
    const messages: Cohere.ChatMessages = [{ role: 'user', content: 'Hello' }];
    const refused = async (asked: Promise<unknown>, status: number, message: RegExp): Promise<void> => {
      await assert.rejects(asked, (error) => {
        assert.ok(error instanceof CohereError);
        assert.equal(error.statusCode, status);
        assert.match((error.body as { message: string }).message, message);
        return true;
      });
    };
    await refused(client(world).chat({ model: world.model, messages: [] }), 400, /'messages' must not be empty/);
    await refused(client(world).chat({ model: 'nobody-has-this', messages }), 404, /GET \/v1\/models/);
    await refused(client({ gateway, key: 'sk-wrong' }).chat({ model: world.model, messages }), 401, /not valid/);
    const scoped = await makeToken(gateway, { account_id: world.account.id, models: ['something-else'] });
    await refused(client({ gateway, key: scoped.key }).chat({ model: world.model, messages }), 403, /may not use/);
    const texts = { model: world.model, inputType: 'search_query' as const };
    await refused(client(world).embed({ ...texts }), 400, /'texts' is required/);
    await refused(client(world).embed({ ...texts, images: [PNG] }), 400, /'images'/);
    await refused(
      client(world).embed({ ...texts, texts: ['a'], embeddingTypes: ['int8'] }),
      400,
      /embedding_types\[0\]/,
    );
    assert.equal((await moneyOf(world))['settle'], undefined);
    const broken = await makeWorld(gateway, t, { channels: [channelOf('openai', 'error-event-2')] });
    const { end } = await gather(await client(broken).chatStream({ model: broken.model, messages }));
    assert.equal(end?.finishReason, 'ERROR');
    assert.notEqual(end?.error, undefined);
  });

  test('what is wrong or cannot be said is named by its field (contract 5)', async (t) => {
    const world = await makeWorld(gateway, t);
    const messages = [{ role: 'user', content: 'Hello' }];
    for (const [field, value] of Object.entries({ messages: 'x', k: 'x', tools: {}, stream: 'yes', max_tokens: 0 })) {
      const response = await post(world, '/v2/chat', { messages, [field]: value });
      assert.equal(response.status, 400, field);
      const { error } = (await response.json()) as { error: { param: string } };
      assert.equal(error.param, field);
    }
    const lossy = await post(world, '/v2/chat', { messages, safety_mode: 'STRICT' });
    assert.equal(lossy.headers.get('x-tollgate-dropped'), 'safety_mode');
    const { usage } = (await lossy.json()) as { usage: { tokens: { input_tokens: number; output_tokens: number } } };
    const { input_tokens, output_tokens } = usage.tokens;
    await assertCharged(world, lossy, BigInt(input_tokens) * 2_500n + BigInt(output_tokens) * 10_000n);
  });
});
