// Upstreams that report 0 for what they read and made: the answer is delivered, so it is paid for by our own count, marked
// and shown. An answer that is really empty costs its prompt alone.
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, test, type TestContext } from 'node:test';
import type { LoggedRequest } from '#contract/requests.ts';
import { postChat } from '../support/chat.ts';
import { requestOf } from '../support/money.ts';
import { sendJson, startStub } from '../support/stub.ts';
import { type ChannelOptions, makeWorld } from '../support/world.ts';
import { attackedGateway } from './attacked-gateway.ts';

/** About 1,000 tokens by our own count. */
const LONG = 'some words '.repeat(364);
const messages = [{ role: 'user', content: 'hello' }];
const ZERO = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
const VERSION = { 'anthropic-version': '2023-06-01' };

interface Case {
  provider?: ChannelOptions['provider'];
  path: (model: string) => string;
  body: object;
  answer(response: ServerResponse): void;
}

const whole =
  (body: unknown) =>
  (response: ServerResponse): void =>
    sendJson(response, 200, body);

function events(response: ServerResponse, list: readonly object[], end = ''): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of list) {
    const type = (event as { type?: string }).type;
    response.write(`${type === undefined ? '' : `event: ${type}\n`}data: ${JSON.stringify(event)}\n\n`);
  }
  response.end(end);
}

const chatAnswer = (content: string, usage: object): object => ({
  id: 'c',
  object: 'chat.completion',
  choices: [
    { index: 0, message: { role: 'assistant', content, refusal: null }, finish_reason: 'stop', logprobs: null },
  ],
  usage,
});
const chunk = (delta: object, finish_reason: string | null, more: object = {}): object => ({
  id: 'c',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason }],
  ...more,
});
const message = (content: object[], usage: object): object => ({
  id: 'm',
  type: 'message',
  role: 'assistant',
  model: 'x',
  content,
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage,
});
const NONE = { input_tokens: 0, output_tokens: 0 };
const chatPath = (): string => '/v1/chat/completions';
const text = { type: 'text', text: LONG };
const streamed = { messages, stream: true };

const CASES: Record<string, Case> = {
  'a whole chat answer': { path: chatPath, body: { messages }, answer: whole(chatAnswer(LONG, ZERO)) },
  'a chat stream': {
    path: chatPath,
    body: streamed,
    answer: (response) =>
      events(response, [chunk({ content: LONG }, null), chunk({}, 'stop', { usage: ZERO })], 'data: [DONE]\n\n'),
  },
  'a chat stream that reports only before its output': {
    path: chatPath,
    body: streamed,
    answer: (response) =>
      events(
        response,
        [chunk({ content: '' }, null, { usage: ZERO }), chunk({ content: LONG }, null), chunk({}, 'stop')],
        'data: [DONE]\n\n',
      ),
  },
  'a whole message': {
    provider: 'anthropic',
    path: () => '/v1/messages',
    body: { messages, max_tokens: 2_000 },
    answer: whole(message([text], NONE)),
  },
  'a stream of a message': {
    provider: 'anthropic',
    path: () => '/v1/messages',
    body: { ...streamed, max_tokens: 2_000 },
    answer: (response) =>
      events(response, [
        { type: 'message_start', message: message([], NONE) },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: LONG } },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: NONE },
        { type: 'message_stop' },
      ]),
  },
  'a message, translated for a chat client': {
    provider: 'anthropic',
    path: chatPath,
    body: { messages, max_tokens: 2_000 },
    answer: whole(message([text], NONE)),
  },
  'generated content': {
    provider: 'gemini',
    path: (model) => `/v1beta/models/${model}:generateContent`,
    body: { contents: [{ role: 'user', parts: [{ text: 'hello' }] }] },
    answer: whole({
      candidates: [{ content: { role: 'model', parts: [{ text: LONG }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 0, candidatesTokenCount: 0, totalTokenCount: 0 },
    }),
  },
  'a response': {
    path: () => '/v1/responses',
    body: { input: 'hello' },
    answer: whole({
      id: 'resp_1',
      object: 'response',
      status: 'completed',
      output: [{ type: 'message', id: 'm', role: 'assistant', content: [{ type: 'output_text', text: LONG }] }],
      usage: NONE,
    }),
  },
};

const TAKEN_BACK: Case = {
  path: chatPath,
  body: streamed,
  answer: (response) =>
    events(
      response,
      [
        chunk({ content: LONG }, 'stop', { usage: { prompt_tokens: 20, completion_tokens: 1_010 } }),
        { id: 'c', object: 'chat.completion.chunk', choices: [], usage: ZERO },
      ],
      'data: [DONE]\n\n',
    ),
};

describe('usage of 0 for what was delivered (promises M-09, M-10)', { concurrency: 4 }, async () => {
  const gateway = await attackedGateway();

  async function ask(t: TestContext, { provider, path, body, answer }: Case): Promise<LoggedRequest> {
    const base_url = await startStub(t, (_, response) => answer(response));
    const world = await makeWorld(gateway, t, { channels: [{ base_url, ...(provider && { provider }) }] });
    const to = path(world.model);
    const named = to.startsWith('/v1beta') ? body : { model: world.model, ...body };
    const response = await postChat(world, JSON.stringify(named), { path: to, headers: VERSION });
    assert.equal(response.status, 200, await response.text());
    return requestOf(gateway, response);
  }

  for (const [name, one] of Object.entries(CASES))
    test(`${name}: our own count, marked`, async (t) => {
      const { usage, usage_source } = await ask(t, one);
      const [input, output] = [Number(usage?.['input_tokens']), Number(usage?.['output_tokens'])];
      assert.ok(input > 0 && input < 100, `${input} of input`);
      assert.ok(output > 800 && output < 1_200, `${output} of output`);
      assert.equal(usage_source, 'bounded');
    });

  test('a chat stream that takes its counts back: those that it had reported', async (t) => {
    const { usage, usage_source } = await ask(t, TAKEN_BACK);
    assert.deepEqual([usage, usage_source], [{ input_tokens: 20, output_tokens: 1_010 }, 'upstream']);
  });

  test('embeddings: the input by our own count, marked', async (t) => {
    const data = [{ object: 'embedding', index: 0, embedding: [1] }];
    const answer = whole({ object: 'list', data, usage: { prompt_tokens: 0, total_tokens: 0 } });
    const { usage, usage_source } = await ask(t, { path: () => '/v1/embeddings', body: { input: LONG }, answer });
    const input = Number(usage?.['input_tokens']);
    assert.ok(input > 800 && input < 1_600, `${input} of input`);
    assert.equal(usage_source, 'bounded');
  });

  for (const n of [1, 4])
    test(`an answer of ${n} without any text costs its prompt, as reported`, async (t) => {
      const empty = chatAnswer('', { prompt_tokens: 9, completion_tokens: 0 }) as { choices: object[] };
      const choices = Array.from({ length: n }, (_, index) => ({ ...empty.choices[0], index }));
      const answer = whole({ ...empty, choices });
      const { usage, usage_source } = await ask(t, { path: chatPath, body: { messages, n }, answer });
      assert.deepEqual([usage?.['input_tokens'], usage?.['output_tokens'], usage_source], [9, 0, 'upstream']);
    });
});
