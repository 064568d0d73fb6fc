import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exchange } from '../../endpoints/endpoint.ts';
import { ObservedExchange } from './observed-exchange.ts';

const reply = { sendWhole() {}, beginStream() {}, write: () => true, end() {} };

function observing(body: object): ObservedExchange {
  const readJson = async (): Promise<Buffer> => Buffer.from(JSON.stringify(body));
  return new ObservedExchange({ reply, readJson } as unknown as Exchange);
}

async function seen(body: object, ...pieces: string[]) {
  const observed = observing(body);
  await observed.exchange.readJson();
  const [first = '', ...more] = pieces.map((piece) => Buffer.from(piece));
  if (more.length === 0) observed.exchange.reply.sendWhole(200, {}, Buffer.from(first));
  else {
    observed.exchange.reply.beginStream();
    for (const piece of [Buffer.from(first), ...more.slice(0, -1)]) observed.exchange.reply.write(piece);
    observed.exchange.reply.end(more.at(-1));
  }
  return observed.read();
}

test('settings of a request are read by their names in every protocol, never its words', async () => {
  const { request } = await seen(
    {
      messages: [{ role: 'user', content: 'secret words' }],
      max_completion_tokens: 100,
      temperature: 0,
      n: 3,
      stop: ['secret stop'],
      response_format: { type: 'json_schema', json_schema: { name: 'x' } },
      conversation: { id: 'conv_1' },
    },
    '{}',
  );
  assert.deepEqual(request, {
    'gen_ai.request.max_tokens': 100,
    'gen_ai.request.temperature': 0,
    'gen_ai.request.choice.count': 3,
    'gen_ai.output.type': 'json',
    'gen_ai.conversation.id': 'conv_1',
  });
  const config = { topK: 5, maxOutputTokens: 7, responseMimeType: 'application/json', candidateCount: 1 };
  assert.deepEqual((await seen({ contents: [], generationConfig: config }, '{}')).request, {
    'gen_ai.request.max_tokens': 7,
    'gen_ai.request.top_k': 5,
    'gen_ai.output.type': 'json',
  });
});

test('id, model and finish reasons are read from answers of every text protocol, whole and streamed', async () => {
  for (const [pieces, expected] of [
    [
      [
        '{"id":"chatcmpl-1","model":"gpt-x","choices":[{"message":{"content":"\\"finish_reason\\":\\"forged\\""},"finish_reason":"stop"},{"finish_reason":"length"}]}',
      ],
      ['chatcmpl-1', 'gpt-x', ['stop', 'length']],
    ],
    [
      [
        'data: {"id":"chatcmpl-2","model":"gpt-x","choices":[{"delta":{},"finish_reason":null}]}\n\n',
        `data: {"choices":[{"delta":{"content":"${'word '.repeat(2000)}"}}]}\n\n`,
        'data: {"choices":[{"delta":{},"finish_reason":"tool_calls"}]}\n\n',
        'data: [DONE]\n\n',
      ],
      ['chatcmpl-2', 'gpt-x', ['tool_calls']],
    ],
    [
      [
        'event: message_start\ndata: {"type":"message_start","message":{"model":"claude-x","id":"msg_1","stop_reason":null}}\n\n',
        'event: message_delta\ndata: {"delta":{"stop_reason":"end_turn"}}\n\n',
      ],
      ['msg_1', 'claude-x', ['end_turn']],
    ],
    [
      ['{"candidates":[{"finishReason":"MAX_TOKENS"}],"modelVersion":"gemini-x","responseId":"r-1"}'],
      ['r-1', 'gemini-x', ['MAX_TOKENS']],
    ],
    [
      ['{"id":"resp_1","object":"response","model":"gpt-x","status":"completed","incomplete_details":null}'],
      ['resp_1', 'gpt-x', ['completed']],
    ],
    [
      [
        'data: {"type":"response.created","response":{"id":"resp_2","object":"response","status":"in_progress","model":"gpt-x"}}\n\n',
        'data: {"type":"response.incomplete","response":{"incomplete_details":{"reason":"max_output_tokens"}}}\n\n',
      ],
      ['resp_2', 'gpt-x', ['max_output_tokens']],
    ],
  ] as const) {
    const { response, isStream } = await seen({}, ...pieces);
    assert.equal(isStream, pieces.length > 1);
    const [id, model, reasons] = expected;
    assert.deepEqual(response, {
      'gen_ai.response.id': id,
      'gen_ai.response.model': model,
      'gen_ai.response.finish_reasons': [...reasons],
    });
  }
});

test('what a model wrote for a tool, a prompt that is echoed and a text that is no JSON are never read (promise A-03)', async () => {
  const args =
    '{"id":"secret order","model":"secret car","modelVersion":"secret","responseId":"secret","finishReason":"secret"}';
  const gemini = `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":${args}}}]},"finishReason":"STOP"}]`;
  const claude = `"content":[{"type":"tool_use","id":"toolu_1","name":"f","input":${args.replace('finishReason', 'stop_reason')}}]`;
  const long = `,"x":"${'word '.repeat(2000)}"`;
  for (const pieces of [
    [`${gemini}}`],
    [`${gemini.replace('"args":{', `"args":{"x":"${'word '.repeat(2000)}",`)}}`],
    [`${gemini}${long}}`],
    [`data: ${gemini}}\n\n`, `data: ${gemini}}\n\n`],
    [`data: ${gemini.replace('"args":{', `"args":{"x":"${'word '.repeat(2000)}",`)}}\n\n`, ''],
    [`[${gemini}}`, `,\n${gemini}}]`],
    [`{"type":"message",${claude},"stop_reason":"tool_use"}`],
    ['He said "id": "secret" and "model": "secret", "finish_reason": "secret"'],
    [`{"object":"response","metadata":{"id":"secret","model":"secret"},"conversation":null}`],
    [`{"object":"list","data":[{"id":"secret"}],"conversation":{"x":{"id":"secret"}}}`],
  ])
    assert.doesNotMatch(
      JSON.stringify((await seen({}, ...pieces)).response),
      /secret|toolu/,
      pieces.join('').slice(0, 100),
    );
  const whole = await seen({}, `${gemini}${long},"modelVersion":"gemini-x","responseId":"r-1"}`);
  assert.deepEqual(whole.response, {
    'gen_ai.response.id': 'r-1',
    'gen_ai.response.model': 'gemini-x',
    'gen_ai.response.finish_reasons': ['STOP'],
  });
});

test('an event that lies across the end of what is kept of the beginning is read once', async () => {
  for (const length of [3900, 4000, 4050, 4096, 8000, 8150]) {
    const text = `data: {"id":"c-1","choices":[{"delta":{"content":"${'w'.repeat(length)}"}}]}\n\n`;
    const { response } = await seen({}, text, 'data: {"choices":[{"finish_reason":"stop"}]}\n\n', 'data: [DONE]\n\n');
    assert.deepEqual(response, { 'gen_ai.response.id': 'c-1', 'gen_ai.response.finish_reasons': ['stop'] });
  }
});
