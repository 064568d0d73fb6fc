import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import OpenAI from 'openai';
import type { OutputPart } from '../../../neutral/generation.ts';
import type { StreamPart } from '../../../neutral/stream-part.ts';
import { NO_USAGE } from '../../../neutral/usage.ts';
import type { FinishReason } from '../../../neutral/finish-reason.ts';
import { writeResult } from './write-result.ts';
import { ChatPartsWriter } from './write-stream.ts';

const generation = {
  model: 'asked',
  stream: true,
  messages: [],
  tools: [],
  settings: {},
  showsUsage: true,
  unknown: [],
};
const context = { id: 'ID', created: 7, generation };
const usage = { ...NO_USAGE, input: 10, output: 5, cachedInput: 4, cacheWrite: 3, reasoning: 2 };
const signature = { protocol: 'anthropic-messages', value: 'S' };

interface Answer {
  choices: [{ message: Record<string, unknown>; finish_reason: string }];
  usage: unknown;
}
const write = (content: OutputPart[], reason: FinishReason = 'stop'): Answer =>
  JSON.parse(writeResult({ id: undefined, content, finish: { reason }, usage }, context).toString()) as Answer;

describe('a result as a chat answer', () => {
  test('has its texts joined, with citations where they now belong', () => {
    const { message } = write([
      { type: 'text', text: 'one ', path: '' },
      {
        type: 'text',
        text: 'two',
        citations: [{ url: 'u', start: 1, end: 2 }, { url: 'w' }, { title: 't' }],
        path: '',
      },
    ]).choices[0];
    assert.equal(message['content'], 'one two');
    assert.deepEqual(message['annotations'], [
      { type: 'url_citation', url_citation: { url: 'u', title: '', start_index: 5, end_index: 6 } },
      { type: 'url_citation', url_citation: { url: 'w', title: '', start_index: 4, end_index: 7 } },
    ]);
  });

  test('has calls, reasoning and its proofs', () => {
    const { message, finish_reason } = write(
      [
        { type: 'reasoning', text: 'hm', signature, path: '' },
        { type: 'reasoning', text: '', sealed: signature, path: '' },
        { type: 'tool-call', id: 'c', name: 'f', arguments: '', signature, path: '' },
      ],
      'tool-calls',
    ).choices[0];
    assert.deepEqual(message, {
      role: 'assistant',
      content: null,
      refusal: null,
      reasoning_content: 'hm',
      reasoning_details: [
        { type: 'reasoning.text', text: 'hm', signature: 'tg1.anthropic-messages.S' },
        { type: 'reasoning.encrypted', data: 'tg1.anthropic-messages.S' },
      ],
      tool_calls: [
        {
          id: 'c',
          type: 'function',
          function: { name: 'f', arguments: '{}' },
          extra_content: { google: { thought_signature: 'tg1.anthropic-messages.S' } },
        },
      ],
    });
    assert.equal(finish_reason, 'tool_calls');
  });

  test('ends as chat answers do', () => {
    const text: OutputPart = { type: 'text', text: 'x', path: '' };
    const reasons = (['stop', 'length', 'content-filter', 'refusal', 'pause', 'other'] as const).map(
      (reason) => write([text], reason).choices[0].finish_reason,
    );
    assert.deepEqual(reasons, ['stop', 'length', 'content_filter', 'content_filter', 'stop', 'stop']);
    const refused = write([{ type: 'refusal', text: 'no', path: '' }], 'refusal').choices[0];
    assert.deepEqual(
      [refused.finish_reason, refused.message['refusal'], refused.message['content']],
      ['stop', 'no', null],
    );
    assert.equal(write([], 'length').choices[0].message['content'], '');
  });

  test('tells the usage with what was read from the cache, written to it and reasoned', () => {
    assert.deepEqual(write([]).usage, {
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 15,
      prompt_tokens_details: { cached_tokens: 4, audio_tokens: 0, cache_write_tokens: 3 },
      completion_tokens_details: {
        reasoning_tokens: 2,
        audio_tokens: 0,
        accepted_prediction_tokens: 0,
        rejected_prediction_tokens: 0,
      },
    });
  });
});

const PARTS: StreamPart[] = [
  { type: 'start', id: 'up' },
  { type: 'block-start', index: 0, block: { type: 'reasoning' } },
  { type: 'delta', index: 0, text: 'hm' },
  { type: 'signature', index: 0, signature },
  { type: 'block-end', index: 0 },
  { type: 'block-start', index: 1, block: { type: 'text' } },
  { type: 'delta', index: 1, text: 'Hel' },
  { type: 'delta', index: 1, text: '' },
  { type: 'delta', index: 1, text: 'lo' },
  { type: 'block-end', index: 1 },
  { type: 'block-start', index: 2, block: { type: 'tool-call', id: 'c1', name: 'f' } },
  { type: 'signature', index: 2, signature },
  { type: 'block-start', index: 3, block: { type: 'tool-call', id: 'c2', name: 'g' } },
  { type: 'delta', index: 2, text: '{"a":' },
  { type: 'delta', index: 2, text: '1}' },
  { type: 'block-end', index: 3 },
  { type: 'block-end', index: 2 },
  { type: 'finish', finish: { reason: 'tool-calls' }, usage },
];

function writeAll(parts: StreamPart[], showsUsage = true): string {
  const writer = new ChatPartsWriter({ ...context, generation: { ...generation, showsUsage } });
  return parts.map((part) => writer.write(part)).join('');
}

function client(events: string): OpenAI {
  const headers = { 'content-type': 'text/event-stream' };
  return new OpenAI({ apiKey: 'k', fetch: () => Promise.resolve(new Response(events, { headers })) });
}

describe('parts as a chat stream', () => {
  test("are put together again by the vendor's own accumulator", async () => {
    const stream = client(writeAll(PARTS)).chat.completions.stream({
      model: 'asked',
      messages: [{ role: 'user', content: 'x' }],
      stream_options: { include_usage: true },
    });
    const final = await stream.finalChatCompletion();
    const [choice] = final.choices;
    assert.deepEqual([final.id, final.model, final.created], ['chatcmpl-ID', 'asked', 7]);
    assert.equal(choice?.message.content, 'Hello');
    assert.equal(choice?.finish_reason, 'tool_calls');
    assert.deepEqual(
      choice?.message.tool_calls?.map((call) => [call.id, call.type === 'function' && call.function.name]),
      [
        ['c1', 'f'],
        ['c2', 'g'],
      ],
    );
    assert.deepEqual(
      choice?.message.tool_calls?.map((call) => call.type === 'function' && call.function.arguments),
      ['{"a":1}', '{}'],
    );
    assert.equal(final.usage?.total_tokens, 15);
    const [first] = choice?.message.tool_calls ?? [];
    assert.deepEqual((first as unknown as Record<string, unknown>)['extra_content'], {
      google: { thought_signature: 'tg1.anthropic-messages.S' },
    });
  });

  test('every item of tool_calls has a function, also the one with a signature (contract-2 7)', () => {
    interface Chunk {
      choices: { delta: { tool_calls?: { function?: { arguments?: unknown } }[] } }[];
    }
    const items = writeAll(PARTS)
      .split('\n\n')
      .filter((event) => event.startsWith('data: {'))
      .flatMap((event) => (JSON.parse(event.slice('data: '.length)) as Chunk).choices)
      .flatMap(({ delta }) => (delta.tool_calls ?? []).map((call) => typeof call.function?.arguments));
    assert.ok(items.length > 3);
    assert.deepEqual(new Set(items), new Set(['string']));
  });

  test('refusals reach the same accumulator', async () => {
    const parts: StreamPart[] = [
      { type: 'start', id: undefined },
      { type: 'block-start', index: 0, block: { type: 'refusal' } },
      { type: 'delta', index: 0, text: 'No.' },
      { type: 'block-end', index: 0 },
      { type: 'finish', finish: { reason: 'refusal' }, usage: undefined },
    ];
    const stream = client(writeAll(parts)).chat.completions.stream({ model: 'm', messages: [] });
    const message = await stream.finalMessage();
    assert.equal(message.refusal, 'No.');
  });

  test('tell the usage only to those who asked, and always the end', () => {
    assert.equal(writeAll(PARTS, false).includes('"usage"'), false);
    for (const shows of [true, false]) assert.ok(writeAll(PARTS, shows).endsWith('data: [DONE]\n\n'));
  });

  test('of blocks that never began say nothing', () => {
    assert.equal(writeAll([{ type: 'delta', index: 5, text: 'x' }]), '');
    assert.equal(writeAll([{ type: 'citation', index: 5, citation: { url: 'u' } }]), '');
    assert.equal(writeAll([{ type: 'error', message: 'm', code: undefined }]), '');
  });
});
