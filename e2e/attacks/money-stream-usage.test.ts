// An upstream that reports usage more than once in a stream, or leaves out the last blank line: the caller pays the last
// value of every field, once, and a stream that is complete is never taken for a broken one.
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, test } from 'node:test';
import { requestOf } from '../support/money.ts';
import { startStub } from '../support/stub.ts';
import { makeWorld, type World } from '../support/world.ts';
import { attackedGateway } from './attacked-gateway.ts';

interface Protocol {
  provider: string;
  path(model: string): string;
  body(model: string): object;
}

const says = [{ role: 'user', content: 'hi' }];
const CHAT: Protocol = {
  provider: 'openai',
  path: () => '/v1/chat/completions',
  body: (model) => ({ model, messages: says, stream: true }),
};
const RESPONSES: Protocol = {
  provider: 'openai',
  path: () => '/v1/responses',
  body: (model) => ({ model, input: 'hi', stream: true }),
};
const MESSAGES: Protocol = {
  provider: 'anthropic',
  path: () => '/v1/messages',
  body: (model) => ({ model, messages: says, max_tokens: 100, stream: true }),
};
const CONTENT: Protocol = {
  provider: 'gemini',
  path: (model) => `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
  body: () => ({ contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }),
};

const typed = (data: { type: string }): string => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
const plain = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;

const messageStart = (usage: object): string =>
  typed({
    type: 'message_start',
    message: { id: 'm', type: 'message', role: 'assistant', content: [], usage },
  } as never);
const BLOCK =
  typed({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } } as never) +
  typed({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'hello' } } as never) +
  typed({ type: 'content_block_stop', index: 0 } as never);
const messageDelta = (usage: object): string =>
  typed({ type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage } as never);
const MESSAGE_STOP = typed({ type: 'message_stop' });

const chunk = (delta: object, finish_reason: string | null, more: object = {}): string =>
  plain({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }], ...more });
const chatUsage = (prompt_tokens: number, completion_tokens: number, more: object = {}): object => ({
  usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens, ...more },
});
const piece = (text: string, finishReason: string | undefined, usageMetadata: object): string =>
  plain({ candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] }, finishReason }], usageMetadata });

describe('an upstream that reports usage several times (promise M-10)', { concurrency: 4 }, async () => {
  const gateway = await attackedGateway();

  async function stream(test: Parameters<typeof makeWorld>[1], protocol: Protocol, text: string, answered = protocol) {
    const base_url = await startStub(test, (_, response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(text);
    });
    const price = { unit: 'tokens', input: '10', output: '20', cached_input: '1' } as const;
    const channels = [
      {
        provider: answered.provider as 'openai',
        base_url: base_url.replace(/\/v1$/, answered.provider === 'gemini' ? '/v1beta' : '/v1'),
      },
    ];
    const world: World = await makeWorld(gateway, test, { model: { price }, channels });
    const response = await fetch(`${gateway.address}${protocol.path(world.model)}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${world.key}`,
        'anthropic-version': '2023-06-01',
        'content-type': 'application/json',
      },
      body: JSON.stringify(protocol.body(world.model)),
    });
    const shown = await response.text();
    assert.equal(response.status, 200, shown);
    return { shown, logged: await requestOf(gateway, response) };
  }

  for (const caller of [MESSAGES, CHAT])
    test(`messages, asked by ${caller.path('')}: tokens that moved to the cache are not charged twice`, async (t) => {
      const text =
        messageStart({ input_tokens: 100, output_tokens: 1 }) +
        BLOCK +
        messageDelta({ input_tokens: 10, cache_read_input_tokens: 90, output_tokens: 5 }) +
        MESSAGE_STOP;
      const { logged } = await stream(t, caller, text, MESSAGES);
      assert.deepEqual(logged.usage, { input_tokens: 100, cached_input_tokens: 90, output_tokens: 5 });
      // 10 x 10 + 90 x 1 + 5 x 20, per million
      assert.equal(logged.charge, '0.00029');
      assert.equal(logged.usage_source, 'upstream');
    });

  test('chat: the last value of each field counts, also where the last chunk leaves one out', async (t) => {
    const text =
      chunk({ role: 'assistant', content: '' }, null, chatUsage(100, 900)) +
      chunk({ content: 'hello' }, 'stop', chatUsage(100, 3, { prompt_tokens_details: { cached_tokens: 90 } })) +
      plain({ id: 'c', choices: [], usage: { completion_tokens: 5 } }) +
      'data: [DONE]\n\n';
    const { logged } = await stream(t, CHAT, text);
    assert.deepEqual(logged.usage, { input_tokens: 100, cached_input_tokens: 90, output_tokens: 5 });
    assert.equal(logged.charge, '0.00029');
  });

  test('chat: a last chunk of zeros does not make the output free (promise M-10)', async (t) => {
    const running = Array.from({ length: 300 }, (_, index) =>
      chunk({ content: 'word' }, null, chatUsage(100, index + 1)),
    );
    const text = running.join('') + chunk({}, 'stop', chatUsage(0, 0)) + 'data: [DONE]\n\n';
    const { logged } = await stream(t, CHAT, text);
    assert.deepEqual(logged.usage, { input_tokens: 100, output_tokens: 300 });
    assert.equal(logged.usage_source, 'upstream');
  });

  for (const caller of [MESSAGES, CHAT])
    test(`messages, asked by ${caller.path('')}: a last report of zeros does not make the output free (promise M-10)`, async (t) => {
      const piece = typed({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'text_delta', text: 'word' },
      } as never);
      const text =
        messageStart({ input_tokens: 100, output_tokens: 1 }) +
        typed({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } } as never) +
        piece.repeat(50) +
        typed({ type: 'content_block_stop', index: 0 } as never) +
        messageDelta({ input_tokens: 0, output_tokens: 0 }) +
        MESSAGE_STOP;
      const { logged } = await stream(t, caller, text, MESSAGES);
      assert.deepEqual(logged.usage, { input_tokens: 100, output_tokens: 50 });
    });

  test('generate-content: the last value of each field counts', async (t) => {
    const text =
      piece('hel', undefined, { promptTokenCount: 190, candidatesTokenCount: 40, totalTokenCount: 230 }) +
      piece('lo', 'STOP', { promptTokenCount: 100, cachedContentTokenCount: 90, candidatesTokenCount: 5 });
    const { logged } = await stream(t, CONTENT, text);
    assert.deepEqual(logged.usage, { input_tokens: 100, cached_input_tokens: 90, output_tokens: 5 });
    assert.equal(logged.charge, '0.00029');
  });

  const response = { id: 'resp_1', object: 'response', status: 'completed', output: [] };
  const HELLO = chunk({ role: 'assistant', content: 'hello' }, null);
  const ENDS: Record<string, { protocol: Protocol; text: string; ends: RegExp }> = {
    'chat, end marker': {
      protocol: CHAT,
      text: HELLO + chunk({}, 'stop', chatUsage(100, 5)) + 'data: [DONE]',
      ends: /data: \[DONE\]\n\n$/,
    },
    'chat, end marker and one line end': {
      protocol: CHAT,
      text: HELLO + chunk({}, 'stop', chatUsage(100, 5)) + 'data: [DONE]\n',
      ends: /data: \[DONE\]\n\n$/,
    },
    'chat, last chunk': {
      protocol: CHAT,
      text: HELLO + chunk({ content: ' world' }, 'stop', chatUsage(100, 5)).trimEnd(),
      ends: / world.*\n\ndata: \[DONE\]\n\n$/,
    },
    'chat, chunk of the usage': {
      protocol: CHAT,
      text: HELLO + chunk({}, 'stop') + plain({ id: 'c', choices: [], ...chatUsage(100, 5) }).trimEnd(),
      ends: /data: \[DONE\]\n\n$/,
    },
    'messages, message_stop': {
      protocol: MESSAGES,
      text:
        messageStart({ input_tokens: 100, output_tokens: 1 }) +
        BLOCK +
        messageDelta({ output_tokens: 5 }) +
        MESSAGE_STOP.trimEnd(),
      ends: /message_stop"\}\n\n$/,
    },
    'messages, message_delta': {
      protocol: MESSAGES,
      text:
        messageStart({ input_tokens: 100, output_tokens: 1 }) + BLOCK + messageDelta({ output_tokens: 5 }).trimEnd(),
      ends: /"end_turn".*\n\nevent: message_stop.*\n.*message_stop"\}\n\n$/,
    },
    'responses, response.completed': {
      protocol: RESPONSES,
      text:
        typed({ type: 'response.created', response: { ...response, status: 'in_progress' } } as never) +
        typed({
          type: 'response.completed',
          response: { ...response, usage: { input_tokens: 100, output_tokens: 5 } },
        } as never).trimEnd(),
      ends: /response\.completed.*\n\n$/,
    },
    'generate-content, last piece': {
      protocol: CONTENT,
      text: piece('hello', 'STOP', { promptTokenCount: 100, candidatesTokenCount: 5 }).trimEnd(),
      ends: /"STOP".*\n\n$/,
    },
  };
  for (const [name, { protocol, text, ends }] of Object.entries(ENDS))
    test(`${name}: without its last blank line the stream is complete and charged (promise M-05)`, async (t) => {
      const { shown, logged } = await stream(t, protocol, text);
      assert.match(shown, ends);
      assert.doesNotMatch(shown, /upstream_error|"error"/);
      assert.deepEqual([logged.status, logged.error_code], [200, null]);
      assert.deepEqual(logged.usage, { input_tokens: 100, output_tokens: 5 });
      assert.equal(logged.usage_source, 'upstream');
    });
});
