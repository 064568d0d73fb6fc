// Clients that leave to get work for nothing: once the request was sent upstream, its prompt and what was made of it are paid
// for, whole answers and streams alike (promise M-07). What never left costs nothing.
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, test, type TestContext } from 'node:test';
import type { ModelPut } from '#contract/models.ts';
import type { LoggedRequest } from '#contract/requests.ts';
import { balanceOf, nano, requestsOf } from '../support/money.ts';
import { openSocket } from '../support/socket.ts';
import { startStub } from '../support/stub.ts';
import { waitUntil } from '../support/wait.ts';
import { makeWorld, type World } from '../support/world.ts';
import { attackedGateway } from './attacked-gateway.ts';

const PROMPT = 'long words '.repeat(400);
const says = [{ role: 'user', content: PROMPT }];

interface Call {
  path: string;
  body: object;
  provider?: 'openai' | 'anthropic' | 'gemini' | 'rerank';
  price?: ModelPut['price'];
}

const chatCall: Call = { path: '/v1/chat/completions', body: { messages: says } };
const CALLS: Record<string, Call> = {
  chat: chatCall,
  completions: { path: '/v1/completions', body: { prompt: PROMPT } },
  responses: { path: '/v1/responses', body: { input: PROMPT } },
  messages: { path: '/v1/messages', provider: 'anthropic', body: { messages: says, max_tokens: 50 } },
  'translated messages': { path: '/v1/messages', body: { messages: says, max_tokens: 50 } },
};

const event = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;
const typed = (type: string, more: object): string => `event: ${type}\n${event({ type, ...more })}`;
const chunk = (delta: object): string => event({ id: 'c', choices: [{ index: 0, delta, finish_reason: null }] });
const delta = (text: object): string => typed('content_block_delta', { index: 0, delta: text });

describe('a client that leaves', { concurrency: 4 }, async () => {
  const gateway = await attackedGateway();

  interface Silent {
    world: World;
    /** Of the upstream's calls: how many came, and how many of them were hung up on. */
    seen: { calls: number; closed: number };
  }

  /** An upstream that says this much and then nothing. */
  async function silent(t: TestContext, { provider = 'openai', price }: Call, text?: string): Promise<Silent> {
    const seen = { calls: 0, closed: 0 };
    const base_url = await startStub(t, (_, response: ServerResponse) => {
      seen.calls++;
      response.once('close', () => seen.closed++);
      if (text === undefined) return;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(text);
    });
    const channels = [{ base_url, provider }];
    const world = await makeWorld(gateway, t, { channels, ...(price !== undefined && { model: { price } }) });
    return { world, seen };
  }

  /** Asks, waits for so much of the answer as `until` names, and leaves. */
  async function leave({ world, seen }: Silent, { path, body }: Call, until?: string): Promise<LoggedRequest> {
    const leaving = new AbortController();
    const asked = fetch(`${gateway.address}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${world.key}`,
        'anthropic-version': '2023-06-01',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ model: world.model, ...body }),
      signal: leaving.signal,
    });
    asked.catch(() => {});
    await waitUntil(() => seen.calls > 0, 'the upstream was not asked');
    if (until !== undefined) {
      const response = await asked;
      const reader = response.body?.getReader();
      let text = '';
      while (!text.includes(until)) {
        const read = await reader?.read();
        assert.equal(read?.done, false, `the answer ended with ${response.status}: ${text.slice(-500)}`);
        text += Buffer.from(read?.value ?? []).toString();
      }
    }
    leaving.abort();
    await waitUntil(() => seen.closed === seen.calls, 'the upstream was not hung up on');
    let logged: LoggedRequest[] = [];
    await waitUntil(async () => {
      logged = await requestsOf(gateway, { account_id: world.account.id });
      return logged.length === 1;
    }, 'it was not logged');
    const [request] = logged;
    assert.ok(request !== undefined);
    assert.deepEqual([request.status, request.error_code, seen.calls], [499, 'client_gone', 1]);
    return request;
  }
  const used = ({ usage }: LoggedRequest, name: string): number => Number(usage?.[name] ?? 0);

  const token = { token: ' word', logprob: -0.1, bytes: [32, 119, 111, 114, 100] };
  const logprobs = { content: [{ ...token, top_logprobs: Array.from({ length: 5 }, () => token) }] };
  const usage = { prompt_tokens: 100, completion_tokens: 99, prompt_tokens_details: { cached_tokens: 0 } };
  for (const [name, more, around] of [
    ['log probabilities', {}, { logprobs }],
    ['usage in each chunk but the first', { usage }, {}],
  ] as const)
    test(`a stream with ${name}: the text is paid for, not what stands around it (promise M-07)`, async (t) => {
      const call: Call = { ...chatCall, body: { messages: says, max_tokens: 200, stream: true } };
      const word = (content: string): string =>
        event({ id: 'c', choices: [{ index: 0, delta: { content }, ...around }], ...more });
      const stream = chunk({ role: 'assistant' }) + word(' word').repeat(99) + word('END');
      const logged = await leave(await silent(t, call, stream), call, 'END');
      assert.equal(used(logged, 'output_tokens'), 100);
    });

  for (const [name, call] of Object.entries(CALLS))
    for (const stream of [false, true])
      test(`${name}, ${stream ? 'a stream before its first event' : 'a whole answer'}: the prompt is paid for`, async (t) => {
        const logged = await leave(await silent(t, call), { ...call, body: { ...call.body, stream } });
        // 4,400 bytes of text, four to a token, and what stands around them
        assert.ok(used(logged, 'input_tokens') >= 1_100 && used(logged, 'input_tokens') < 1_200);
        assert.deepEqual([used(logged, 'output_tokens'), logged.usage_source], [0, 'estimated']);
        assert.ok(nano(logged.charge) >= 1_100n * 2_500n);
      });

  for (const output_tokens of [0, 1])
    test(`a stream that had begun, with ${output_tokens} of output: the prompt as it was reported`, async (t) => {
      const call: Call = {
        ...CALLS['messages'],
        path: '/v1/messages',
        body: { messages: says, max_tokens: 50, stream: true },
      };
      const usage = { input_tokens: 30, cache_read_input_tokens: 970, output_tokens };
      const start = typed('message_start', {
        message: { id: 'm', type: 'message', role: 'assistant', content: [], usage },
      });
      const logged = await leave(await silent(t, call, start), call, 'message_start');
      assert.deepEqual(logged.usage, { input_tokens: 1_000, cached_input_tokens: 970, output_tokens });
    });

  const thinking = typed('content_block_start', { index: 0, content_block: { type: 'thinking', thinking: '' } });
  const redacted = { type: 'redacted_thinking', data: 'x'.repeat(4_000) };
  const start = typed('message_start', {
    message: {
      id: 'm',
      type: 'message',
      role: 'assistant',
      content: [],
      usage: { input_tokens: 30, output_tokens: 1 },
    },
  });
  const text =
    typed('content_block_stop', { index: 0 }) +
    typed('content_block_start', { index: 1, content_block: { type: 'text', text: '' } });
  const END = typed('content_block_delta', { index: 1, delta: { type: 'text_delta', text: 'END' } });
  const HIDDEN: Record<string, { call: Call; stream: string; least: number }> = {
    'chat with reasoning': {
      call: { ...chatCall, body: { messages: says, stream: true } },
      stream:
        chunk({ role: 'assistant' }) + chunk({ reasoning_content: 'think ' }).repeat(500) + chunk({ content: 'END' }),
      least: 500,
    },
    'messages with thinking': {
      call: { path: '/v1/messages', provider: 'anthropic', body: { messages: says, max_tokens: 2_000, stream: true } },
      stream: start + thinking + delta({ type: 'thinking_delta', thinking: 'think ' }).repeat(500) + text + END,
      least: 500,
    },
    'messages with sealed thinking': {
      call: { path: '/v1/messages', provider: 'anthropic', body: { messages: says, max_tokens: 2_000, stream: true } },
      stream: start + typed('content_block_start', { index: 0, content_block: redacted }) + text + END,
      least: 1_000,
    },
    'completions, which cannot show it': {
      call: { path: '/v1/completions', provider: 'anthropic', body: { prompt: PROMPT, stream: true } },
      stream: start + thinking + delta({ type: 'thinking_delta', thinking: 'think ' }).repeat(500) + text + END,
      least: 500,
    },
    'responses with sealed reasoning': {
      call: { path: '/v1/responses', body: { input: PROMPT, stream: true } },
      stream:
        typed('response.created', {
          response: { id: 'resp_1', object: 'response', status: 'in_progress', output: [] },
        }) +
        typed('response.output_item.done', {
          output_index: 0,
          item: { type: 'reasoning', summary: [], encrypted_content: 'x'.repeat(4_000) },
        }) +
        typed('response.output_text.delta', { output_index: 1, content_index: 0, delta: 'END' }),
      least: 1_000,
    },
  };
  for (const [name, { call, stream, least }] of Object.entries(HIDDEN))
    test(`${name}: hidden reasoning is output too`, async (t) => {
      const logged = await leave(await silent(t, call, stream), call, 'END');
      const output = used(logged, 'output_tokens');
      assert.ok(output >= least && output <= least * 1.6, `${output} for about ${least}`);
    });

  const PRICED: Record<string, Call & { charge: string }> = {
    'per image, as many as were asked for': {
      path: '/v1/images/generations',
      body: { prompt: 'p', n: 3 },
      price: { unit: 'image', amount: '0.04' },
      charge: '0.12',
    },
    'images by tokens': {
      path: '/v1/images/generations',
      body: { prompt: 'p', n: 2 },
      price: { unit: 'tokens', input: '0', output: '10' },
      charge: '0.02112', // 2 x 1,056 x 10 per million
    },
    'per request': { ...chatCall, price: { unit: 'request', amount: '0.03' }, charge: '0.03' },
    'per search': {
      path: '/v1/rerank',
      provider: 'rerank',
      body: { query: 'q', documents: ['a', 'b'] },
      price: { unit: 'search', amount: '0.002' },
      charge: '0.002',
    },
    'per character': {
      path: '/v1/audio/speech',
      body: { input: 'a'.repeat(1_000), voice: 'alloy' },
      price: { unit: 'characters', amount: '15' },
      charge: '0.015',
    },
  };
  for (const [name, call] of Object.entries(PRICED))
    test(`${name}: what the provider bills is paid for`, async (t) => {
      assert.equal((await leave(await silent(t, call), call)).charge, call.charge);
    });

  test('a response in the background goes on without its caller: all that it may come to', async (t) => {
    const call: Call = { path: '/v1/responses', body: { input: 'hi', background: true, max_output_tokens: 700 } };
    const logged = await leave(await silent(t, call), call);
    assert.deepEqual([used(logged, 'output_tokens'), logged.usage_source], [700, 'estimated']);
  });

  test('many that leave at once pay for each of their prompts, and not twice', async (t) => {
    const { world, seen } = await silent(t, chatCall);
    const leaving = Array.from({ length: 20 }, () => new AbortController());
    const asked = leaving.map(({ signal }) =>
      fetch(`${gateway.address}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: world.model, messages: says }),
        signal,
      }).catch(() => {}),
    );
    await waitUntil(() => seen.calls === 20, 'not all were asked');
    for (const one of leaving) one.abort();
    await Promise.all(asked);
    let logged: LoggedRequest[] = [];
    await waitUntil(async () => {
      logged = await requestsOf(gateway, { account_id: world.account.id });
      return logged.length === 20;
    }, 'not all were logged');
    const sum = logged.reduce((all, { charge }) => all + nano(charge), 0n);
    assert.ok(sum >= 20n * 1_100n * 2_500n);
    await waitUntil(
      async () => nano(await balanceOf(gateway, world.account.id)) === nano('100') - sum,
      'the balance is not what was charged',
    );
  });

  test('before its request was whole, nothing was sent and nothing is charged', async (t) => {
    const { world, seen } = await silent(t, chatCall);
    const body = JSON.stringify({ model: world.model, messages: says });
    const socket = openSocket(gateway.address);
    socket.write(
      `POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n` +
        `Authorization: Bearer ${world.key}\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 100)}`,
    );
    await pause(50);
    socket.destroy();
    await pause(50);
    assert.equal(seen.calls, 0);
    assert.equal(nano(await balanceOf(gateway, world.account.id)), nano('100'));
  });

  test('whose upstream had refused already pays nothing (promise M-08)', async (t) => {
    let answered = 0;
    const base_url = await startStub(t, (_, response: ServerResponse) => {
      response.writeHead(500, { 'content-type': 'application/json' });
      response.write('{"error":');
      answered++;
    });
    const world = await makeWorld(gateway, t, { channels: [{ base_url }] });
    const leaving = new AbortController();
    const asked = fetch(`${gateway.address}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: world.model, messages: says }),
      signal: leaving.signal,
    }).catch(() => {});
    await waitUntil(() => answered === 1, 'the upstream was not asked');
    await pause(200); // for the head to arrive
    leaving.abort();
    await asked;
    await waitUntil(
      async () => (await requestsOf(gateway, { account_id: world.account.id })).length === 1,
      'it was not logged',
    );
    assert.equal(nano(await balanceOf(gateway, world.account.id)), nano('100'));
  });
});
