// Contract-2 7: custom tools of /v1/responses and chat completions, passed through and translated, whole and streamed, with the
// openai library.
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import OpenAI from 'openai';
import { nano, requestsOf } from './support/money.ts';
import { watchAnswers } from './support/watch-answers.ts';
import { makeWorld, suiteGateway, type World } from './support/world.ts';

const PROVIDERS = ['openai', 'anthropic', 'gemini'] as const;
const NAME = 'run_code';
const ASKED = `please ${NAME}`;

describe('custom tools', { concurrency: 4 }, async () => {
  const gateway = await suiteGateway();
  watchAnswers(gateway);

  async function open(
    t: TestContext,
    provider: (typeof PROVIDERS)[number],
    behave?: string,
  ): Promise<{ world: World; client: OpenAI }> {
    const base_url = gateway.upstream.baseUrl(provider, behave);
    const world = await makeWorld(gateway, t, { channels: [{ provider, base_url }] });
    return { world, client: new OpenAI({ apiKey: world.key, baseURL: `${gateway.address}/v1`, maxRetries: 0 }) };
  }

  for (const provider of PROVIDERS) {
    test(`responses from ${provider}: called with a text, and the output is taken (contract-2 7)`, async (t) => {
      const { world, client } = await open(t, provider);
      const request = { model: world.model, input: ASKED, tools: [{ type: 'custom' as const, name: NAME }] };
      const whole = await client.responses.create(request);
      const events = await Array.fromAsync(await client.responses.create({ ...request, stream: true }));
      const deltas = events.map((event) => (event.type === 'response.custom_tool_call_input.delta' ? event.delta : ''));
      const last = events.at(-1);
      assert.ok(last?.type === 'response.completed');
      for (const { output } of [whole, last.response]) {
        const call = output.find((item) => item.type === 'custom_tool_call');
        assert.ok(call !== undefined && call.name === NAME && call.input !== '', JSON.stringify(output));
        if (output === last.response.output) assert.equal(deltas.join(''), call.input);
      }
      const call = whole.output.find((item) => item.type === 'custom_tool_call');
      const output = { type: 'custom_tool_call_output' as const, call_id: call?.call_id ?? '', output: 'done' };
      const user = { role: 'user' as const, content: ASKED };
      const items = whole.output.filter((item) => item.type === 'custom_tool_call');
      for (const next of [
        await client.responses.create({ ...request, input: [output], previous_response_id: whole.id }),
        await client.responses.create({ ...request, input: [user, ...items, output] }),
      ])
        assert.match(next.output_text, /done/);
    });

    test(`chat completions from ${provider}: called with a text, and the output is taken (contract-2 7)`, async (t) => {
      const { world, client } = await open(t, provider);
      const messages = [{ role: 'user' as const, content: ASKED }];
      const tools = [{ type: 'custom' as const, custom: { name: NAME } }];
      const request = { model: world.model, messages, tools };
      const whole = await client.chat.completions.create(request);
      const streamed = await client.chat.completions.stream(request).finalChatCompletion();
      for (const { choices } of [whole, streamed]) {
        const call = choices[0]?.message.tool_calls?.[0];
        assert.ok(call?.type === 'custom' && call.custom.name === NAME && call.custom.input !== '');
        assert.equal(choices[0]?.finish_reason, 'tool_calls');
      }
      const message = whole.choices[0]?.message;
      assert.ok(message !== undefined);
      const answer = { role: 'tool' as const, tool_call_id: message.tool_calls?.[0]?.id ?? '', content: 'done' };
      const next = await client.chat.completions.create({ ...request, messages: [...messages, message, answer] });
      assert.match(next.choices[0]?.message.content ?? '', /done/);
    });
  }

  test('a call of a custom tool is charged as output where the upstream of a chat reports no usage (promise M-07)', async (t) => {
    const { world, client } = await open(t, 'openai', 'no-usage');
    const request = {
      model: world.model,
      messages: [{ role: 'user' as const, content: ASKED }],
      tools: [{ type: 'custom' as const, custom: { name: NAME } }],
    };
    await client.chat.completions.create(request);
    await client.chat.completions.stream(request).finalChatCompletion();
    const lines = await requestsOf(gateway, { account_id: world.account.id });
    assert.equal(lines.length, 2);
    for (const { arithmetic, charge } of lines) {
      assert.ok(nano(charge) > 0n);
      assert.match(arithmetic ?? '', /\b[1-9]\d* output x /);
    }
  });
});
