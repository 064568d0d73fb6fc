// Limits as a weapon: a caller that sends a tiny limit to a channel that does not heed it, and upstreams that report more than
// the request allows. What was delivered is paid for, and what cannot be true is cut and shown (promises M-09, M-10).
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import type { LoggedRequest } from '#contract/requests.ts';
import { chat, type ChatBody } from '../support/chat.ts';
import { requestOf } from '../support/money.ts';
import { sendJson, startStub } from '../support/stub.ts';
import { type ChannelOptions, makeWorld, type World } from '../support/world.ts';
import { attackedGateway } from './attacked-gateway.ts';

/** 4,000 tokens by our own count, four bytes to a token. */
const LONG = 'word'.repeat(4_000);

interface Answer {
  content?: string;
  logprobs?: unknown;
  usage?: unknown;
  channel?: ChannelOptions;
}

describe('a limit that does not limit (promise M-10)', { concurrency: 4 }, async () => {
  const gateway = await attackedGateway();

  async function worldSaying(
    t: TestContext,
    { content = LONG, logprobs = null, usage, channel }: Answer,
  ): Promise<World> {
    const message = { role: 'assistant', content };
    const base_url = await startStub(t, (_, response) => {
      const choices = [{ index: 0, message, logprobs, finish_reason: 'stop' }];
      sendJson(response, 200, { id: 'x', object: 'chat.completion', created: 1, model: 'x', choices, usage });
    });
    return makeWorld(gateway, t, { channels: [{ base_url, ...channel }] });
  }
  async function ask(world: World, body: ChatBody): Promise<LoggedRequest> {
    const response = await chat(world, 'short', body);
    const text = await response.text();
    assert.equal(response.status, 200, text);
    return requestOf(gateway, response);
  }
  const output = ({ usage }: LoggedRequest): number => Number(usage?.['output_tokens']);
  const reports = (completion_tokens: unknown) => ({ prompt_tokens: 9, completion_tokens });

  for (const field of ['max_tokens', 'max_completion_tokens'])
    test(`the channel drops ${field}: the answer is paid for as reported`, async (t) => {
      const options = { drop_fields: ['max_tokens', 'max_completion_tokens'] };
      const world = await worldSaying(t, { usage: reports(4_100), channel: { options } });
      const logged = await ask(world, { [field]: 1 });
      assert.deepEqual([output(logged), logged.usage_source], [4_100, 'upstream']);
    });

  test('the upstream does not heed it: what was delivered is paid for, by our own count', async (t) => {
    const logged = await ask(await worldSaying(t, { usage: reports(50_000) }), { max_tokens: 1 });
    assert.ok(output(logged) >= 4_000 && output(logged) < 4_200, `${output(logged)}`);
    assert.equal(logged.usage_source, 'bounded');
  });

  test('the upstream reports no usage: what was delivered is paid for all the same', async (t) => {
    const logged = await ask(await worldSaying(t, {}), { max_tokens: 1 });
    assert.ok(output(logged) >= 4_000 && output(logged) < 4_200, `${output(logged)}`);
    assert.equal(logged.usage_source, 'estimated');
  });

  test('log probabilities are no output: without usage the text alone is paid for (promise M-10)', async (t) => {
    const token = { token: 'word', logprob: -0.1, bytes: [119, 111, 114, 100] };
    const each = { ...token, top_logprobs: Array.from({ length: 5 }, () => token) };
    const logprobs = { content: Array.from({ length: 100 }, () => each), refusal: null };
    const logged = await ask(await worldSaying(t, { content: 'word'.repeat(100), logprobs }), { max_tokens: 200 });
    assert.deepEqual([output(logged), logged.usage_source], [100, 'estimated']);
  });

  test('usage of zeros does not make a delivered answer free: our own count, marked (promise M-10)', async (t) => {
    const zeros = { prompt_tokens: 0, completion_tokens: 0 };
    const logged = await ask(await worldSaying(t, { content: 'word'.repeat(100), usage: zeros }), {});
    assert.deepEqual([output(logged), logged.usage_source], [100, 'bounded']);
    assert.ok(Number(logged.usage?.['input_tokens']) > 0);
  });

  test('an answer longer than what is held for by default is paid for, without usage too', async (t) => {
    const logged = await ask(await worldSaying(t, { content: LONG.repeat(3) }), {});
    assert.ok(output(logged) >= 12_000 && output(logged) < 12_200, `${output(logged)}`);
  });

  test('a short answer that is reported as a long one costs the limit, and no more', async (t) => {
    const logged = await ask(await worldSaying(t, { content: 'hi', usage: reports(50_000) }), { max_tokens: 100 });
    assert.deepEqual([output(logged), logged.usage_source], [100, 'bounded']);
  });

  test('a limit that translation sends is the one that counts', async (t) => {
    const usage = { input_tokens: 9, output_tokens: 50_000 };
    const base_url = await startStub(t, (_, response) => {
      const content = [{ type: 'text', text: 'hi' }];
      const answer = { id: 'm', type: 'message', role: 'assistant', model: 'x', content, stop_reason: 'end_turn' };
      sendJson(response, 200, { ...answer, usage });
    });
    const world = await makeWorld(gateway, t, { channels: [{ base_url, provider: 'anthropic' }] });
    const logged = await ask(world, { max_tokens: 100 });
    assert.deepEqual([output(logged), logged.usage_source], [100, 'bounded']);
  });

  for (const lie of [-5, 1e18, '12', 0.5, 'NaN'])
    test(`usage of ${JSON.stringify(lie)} is not trusted: our own count, marked and shown (promise M-10)`, async (t) => {
      const world = await worldSaying(t, { usage: reports(lie) });
      const logged = await ask(world, {});
      assert.ok(output(logged) >= 4_000 && output(logged) < 4_200, `${output(logged)}`);
      assert.equal(logged.usage_source, 'bounded');
      await assertShown(world, logged);
    });

  test('input above what the body can have is cut, marked and shown (promise M-10)', async (t) => {
    const world = await worldSaying(t, { content: 'hi', usage: { prompt_tokens: 400_000, completion_tokens: 1 } });
    const logged = await ask(world, { tools: [{ type: 'function', function: { name: 'mine' } }] });
    assert.equal(logged.usage_source, 'bounded');
    assert.ok(Number(logged.usage?.['input_tokens']) < 51_000);
    await assertShown(world, logged);
  });

  test('more uses of a tool than a call can have are cut, marked and shown (promise M-10)', async (t) => {
    const usage = { prompt_tokens: 9, completion_tokens: 1, server_tool_use: { web_search_requests: 99_999_999_999 } };
    const world = await worldSaying(t, { content: 'hi', usage });
    const price = { unit: 'tokens', input: '1', output: '1', tools: { web_search: '0.001' } };
    await gateway.operator('PUT', `/models/${world.model}`, { price });
    const logged = await ask(world, {});
    assert.deepEqual([logged.usage?.['tools'], logged.usage_source], [{ web_search: 1_000 }, 'bounded']);
    await assertShown(world, logged);
  });

  for (const more of [
    { web_search_options: {} },
    { tools: [{ type: 'web_search' }] },
    { messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: 'file-1' } }] }] },
    { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }] }] },
  ])
    test(`input that the upstream itself adds is believed: ${Object.keys(more).join()} (promise M-10)`, async (t) => {
      const channel = { options: { shared_objects: true } }; // of its own files a caller has none
      const world = await worldSaying(t, {
        content: 'hi',
        usage: { prompt_tokens: 400_000, completion_tokens: 1 },
        channel,
      });
      const logged = await ask(world, more);
      assert.deepEqual([logged.usage?.['input_tokens'], logged.usage_source], [400_000, 'upstream']);
    });

  async function assertShown({ channels: [channel] }: World, logged: LoggedRequest): Promise<void> {
    const list = await gateway.operator<{ data: LoggedRequest[] }>(
      'GET',
      `/requests?usage_source=bounded&from=${Math.floor(Date.now() / 1000) - 3600}`,
    );
    assert.ok(list.data.some(({ id }) => id === logged.id));
    assert.ok(list.data.every(({ usage_source }) => usage_source === 'bounded'));
    const metrics = await (await fetch(`${gateway.address}/metrics`)).text();
    assert.ok(metrics.includes(`tollgate_usage_bounded_total{channel="${channel?.name}"} 1`));
  }
});
