import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import OpenAI from 'openai';
import type { Message, Part } from '../../neutral/conversation.ts';
import { Dropped } from '../../neutral/dropped.ts';
import { foldParts } from '../../neutral/fold-parts.ts';
import type { Generation, GenerationResult } from '../../neutral/generation.ts';
import type { StreamPart } from '../../neutral/stream-part.ts';
import { NO_USAGE } from '../../neutral/usage.ts';
import { assertRefused } from '../../testing/refusals.ts';
import { eventsOf } from '../stream/sse.ts';
import { openaiCompletionsClient, openaiCompletionsUpstream, readCompletion } from './index.ts';

const read = (fields: object): Generation => {
  const generation = readCompletion(Buffer.from(JSON.stringify({ model: 'm', prompt: 'hi', ...fields })));
  const result = generation.readGeneration?.();
  assert.ok(result !== undefined);
  return result;
};
const usage = { ...NO_USAGE, input: 3, output: 2 };

describe('a completions request for an upstream of another protocol', () => {
  test('is what a user says', () => {
    const expected = [{ role: 'user', content: [{ type: 'text', text: 'hi', path: 'prompt' }], path: 'prompt' }];
    assert.deepEqual(read({}).messages, expected);
    assert.deepEqual(read({ prompt: ['hi'] }).messages, expected);
    assert.deepEqual(read({ max_tokens: 4, temperature: 0, stop: 'x', n: 2, seed: 1, user: 'u' }).settings, {
      maxOutputTokens: 4,
      temperature: 0,
      stop: ['x'],
      choices: 2,
      seed: 1,
      user: 'u',
    });
  });

  test('keeps its newer limit of output tokens, and names fields of any type that are no text (spec 2.10)', () => {
    const { settings, paths, unknown } = read({ max_tokens: 9, max_completion_tokens: 5, safety_identifier: 's' });
    assert.deepEqual(settings, { maxOutputTokens: 5, user: 's' });
    assert.deepEqual(paths, { user: 'safety_identifier', maxOutputTokens: 'max_completion_tokens' });
    assert.deepEqual(unknown, []);
    const odd = read({ safety_identifier: 42, service_tier: { a: 1 }, user: 'u' });
    assert.deepEqual([odd.settings, odd.unknown], [{ user: 'u' }, ['safety_identifier', 'service_tier']]);
  });

  test('is refused with several prompts or tokens, which have no other form', () => {
    const message = "A 'prompt' of several texts or of tokens cannot be sent to this model's provider. Send one text.";
    for (const prompt of [['a', 'b'], [1, 2], [5], [[1, 2]]]) assertRefused(() => read({ prompt }), message, 'prompt');
  });

  test('names what only this protocol has, unless it asks for nothing', () => {
    const fields = { echo: true, suffix: 's', logprobs: 2, best_of: 3, logit_bias: { 1: 2 } };
    assert.deepEqual(read(fields).unknown.toSorted(), ['best_of', 'echo', 'logit_bias', 'logprobs', 'suffix']);
    assert.deepEqual(read({ echo: false, suffix: '', best_of: 1, logit_bias: {}, logprobs: null }).unknown, []);
  });
});

const context = { id: 'ID', created: 7, generation: read({ stream_options: { include_usage: true } }) };
const RESULT: GenerationResult = {
  id: 'up',
  content: [
    { type: 'reasoning', text: 'hm', path: '' },
    { type: 'text', text: 'Hel', path: '' },
    { type: 'text', text: 'lo', path: '' },
    { type: 'tool-call', id: 'c', name: 'f', arguments: '{}', path: '' },
  ],
  finish: { reason: 'length' },
  usage,
};
const PARTS: StreamPart[] = [
  { type: 'start', id: 'up' },
  { type: 'block-start', index: 0, block: { type: 'reasoning' } },
  { type: 'delta', index: 0, text: 'hm' },
  { type: 'block-end', index: 0 },
  { type: 'block-start', index: 1, block: { type: 'text' } },
  { type: 'delta', index: 1, text: 'Hel' },
  { type: 'delta', index: 1, text: 'lo' },
  { type: 'block-end', index: 1 },
  { type: 'finish', finish: { reason: 'length' }, usage },
];
const writeAll = (): string => {
  const writer = openaiCompletionsClient.writeStream(context);
  return PARTS.map((part) => writer.write(part)).join('');
};

describe('a result as a completion', () => {
  test('has only its text', () => {
    const { usage: reported, ...rest } = JSON.parse(
      openaiCompletionsClient.writeResult(RESULT, context).toString(),
    ) as {
      usage: { total_tokens: number };
    };
    assert.deepEqual(rest, {
      id: 'cmpl-ID',
      object: 'text_completion',
      created: 7,
      model: 'm',
      choices: [{ text: 'Hello', index: 0, logprobs: null, finish_reason: 'length' }],
    });
    assert.equal(reported.total_tokens, 5);
  });

  test("streamed is read by the vendor's own client", async () => {
    const headers = { 'content-type': 'text/event-stream' };
    const client = new OpenAI({
      apiKey: 'k',
      fetch: () => Promise.resolve(new Response(writeAll(), { headers })),
    });
    let text = '';
    let reason: string | null = null;
    let total: number | undefined;
    for await (const chunk of await client.completions.create({ model: 'm', prompt: 'x', stream: true })) {
      text += chunk.choices[0]?.text ?? '';
      reason = chunk.choices[0]?.finish_reason ?? reason;
      total = chunk.usage?.total_tokens ?? total;
    }
    assert.deepEqual([text, reason, total], ['Hello', 'length', 5]);
  });

  test('is read again as it was, whole and streamed', () => {
    const content = [{ type: 'text', text: 'Hello', path: '' }];
    const expected = { id: 'cmpl-ID', content, finish: { reason: 'length' }, usage };
    const whole = openaiCompletionsUpstream.readResult(openaiCompletionsClient.writeResult(RESULT, context));
    assert.deepEqual(whole, expected);
    const reader = openaiCompletionsUpstream.readStream();
    const parts = eventsOf(Buffer.from(writeAll())).flatMap((event) => reader.push(event));
    assert.deepEqual(foldParts(parts), expected);
  });

  test('of another shape is none', () => {
    for (const body of ['', '{}', '{"choices":[{"message":{"content":"x"}}]}', '{"choices":[{"text":5}]}']) {
      assert.equal(openaiCompletionsUpstream.readResult(Buffer.from(body)), undefined);
    }
  });
});

describe('a conversation for an upstream of completions', () => {
  const text = (value: string): Part => ({ type: 'text', text: value, path: 'p' });
  const message = (role: Message['role'], ...content: Part[]): Message => ({ role, content, path: 'm' });
  const write = (given: Partial<Generation>) => {
    const dropped = new Dropped({ format: 'response_format', stop: 'stop', toolChoice: 'tool_choice' });
    const generation = { ...read({}), ...given };
    const target = { upstreamModel: 'up', dropFields: ['top_k', 'prompt'], defaultMaxOutput: 99, dropped };
    const body = openaiCompletionsUpstream.writeGeneration(generation, target);
    return { body: JSON.parse(body.toString()) as Record<string, unknown>, dropped: dropped.paths };
  };

  test('is plain text where one user speaks, and a dialogue otherwise', () => {
    const plain = write({ stream: true, settings: { topK: 2, temperature: 0, user: 'u', stop: ['x'] } });
    assert.deepEqual(plain.body, {
      model: 'up',
      prompt: 'hi',
      max_tokens: 99,
      temperature: 0,
      user: 'u',
      stop: ['x'],
      stream: true,
      stream_options: { include_usage: true },
    });
    const dialogue = [message('system', text('Be brief.')), message('user', text('a'), text('b'))];
    const { body } = write({ messages: dialogue });
    assert.equal(body['prompt'], 'System: Be brief.\n\nUser: a\nb\n\nAssistant:');
    assert.deepEqual(body['stop'], ['\n\nUser:']);
    const begun = write({ messages: [...dialogue, message('assistant', text('Well'))] });
    assert.equal(begun.body['prompt'], 'System: Be brief.\n\nUser: a\nb\n\nAssistant: Well');
  });

  test('names everything that is no text', () => {
    const source = { by: 'url', url: 'https://x' } as const;
    const { body, dropped } = write({
      messages: [
        message('user', text('a'), { type: 'media', kind: 'image', source, path: 'image' }),
        message('assistant', { type: 'tool-call', id: 'c', name: 'f', arguments: '{}', path: 'call' }),
        message('tool', { type: 'tool-result', callId: 'c', content: [], isError: false, path: 'result' }),
      ],
      tools: [{ name: 'f', path: 'tools[0]' }],
      settings: { format: { type: 'json' }, toolChoice: { type: 'required' }, stop: ['a', 'b', 'c', 'd', 'e'] },
    });
    assert.equal(body['prompt'], 'a');
    assert.deepEqual(dropped.toSorted(), [
      'call',
      'image',
      'response_format',
      'result',
      'stop',
      'tool_choice',
      'tools[0]',
    ]);
  });
});
