import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { foldParts } from '../../../neutral/fold-parts.ts';
import type { GenerationResult } from '../../../neutral/generation.ts';
import type { StreamPart } from '../../../neutral/stream-part.ts';
import { NO_USAGE } from '../../../neutral/usage.ts';
import { asRecord, type JsonRecord } from '../../json/json-value.ts';
import { eventsOf } from '../../stream/sse.ts';
import type { AnswerContext } from '../../text-protocol.ts';
import { anthropicMessagesClient, anthropicMessagesUpstream } from '../index.ts';

const generation = {
  model: 'asked',
  stream: true,
  messages: [],
  tools: [],
  settings: {},
  showsUsage: true,
  unknown: [],
};
const context: AnswerContext = { id: 'abc', created: 1, generation };
const usage = { ...NO_USAGE, input: 20, cachedInput: 5, output: 9 };
const gemini = { protocol: 'gemini-generate-content', value: 'g' };

function write(result: Partial<GenerationResult>): JsonRecord {
  const whole = { id: 'up', content: [], finish: { reason: 'stop' as const }, usage, ...result };
  return JSON.parse(anthropicMessagesClient.writeResult(whole, context).toString()) as JsonRecord;
}

function stream(parts: StreamPart[]): JsonRecord[] {
  const writer = anthropicMessagesClient.writeStream(context);
  const text = parts.map((part) => writer.write(part)).join('');
  return eventsOf(Buffer.from(text)).map(({ bytes, data }) => {
    const event = JSON.parse(data ?? '') as JsonRecord;
    assert.equal(bytes.toString().startsWith(`event: ${String(event['type'])}\n`), true);
    return event;
  });
}

/** Gathers events as the vendor's library does, and insists on their order. */
function accumulate(events: JsonRecord[]): JsonRecord {
  const [start, ...rest] = events;
  assert.equal(start?.['type'], 'message_start');
  const message = asRecord(start['message']) ?? {};
  const content = message['content'] as JsonRecord[];
  let open: number | undefined;
  for (const event of rest) {
    const delta = asRecord(event['delta']) ?? {};
    if (event['type'] === 'content_block_start') {
      assert.deepEqual([open, event['index']], [undefined, content.length]);
      open = content.push({ ...asRecord(event['content_block']), json: '' }) - 1;
    } else if (event['type'] === 'content_block_stop') {
      assert.equal(event['index'], open);
      open = undefined;
    } else if (event['type'] === 'content_block_delta') {
      assert.equal(event['index'], open);
      addDelta(content.at(-1) ?? {}, delta);
    } else if (event['type'] === 'message_delta') {
      Object.assign(message, delta, { usage: { ...asRecord(message['usage']), ...asRecord(event['usage']) } });
    } else assert.equal(event['type'], 'message_stop');
  }
  assert.equal(rest.at(-1)?.['type'], 'message_stop');
  for (const block of content) {
    if (block['type'] === 'tool_use') block['input'] = JSON.parse(String(block['json'] === '' ? '{}' : block['json']));
    delete block['json'];
  }
  return message;
}

function addDelta(block: JsonRecord, delta: JsonRecord): void {
  if (delta['type'] === 'text_delta') block['text'] = String(block['text']) + String(delta['text']);
  else if (delta['type'] === 'thinking_delta')
    block['thinking'] = String(block['thinking']) + String(delta['thinking']);
  else if (delta['type'] === 'signature_delta') block['signature'] = delta['signature'];
  else if (delta['type'] === 'input_json_delta') block['json'] = String(block['json']) + String(delta['partial_json']);
  else block['citations'] = [...((block['citations'] ?? []) as unknown[]), delta['citation']];
}

describe('a whole result', () => {
  test('is a message with the asked model and an id of ours', () => {
    assert.deepEqual(write({ content: [{ type: 'text', text: 'Hi', path: '' }] }), {
      id: 'msg_abc',
      type: 'message',
      role: 'assistant',
      model: 'asked',
      container: null,
      diagnostics: null,
      content: [{ type: 'text', text: 'Hi' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      stop_details: null,
      usage: {
        input_tokens: 15,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 5,
        output_tokens: 9,
        output_tokens_details: null,
        server_tool_use: null,
        cache_creation: null,
        inference_geo: null,
        service_tier: null,
        speed: null,
      },
    });
  });

  test('carries the signature of a call in an empty thought before it', () => {
    const call = { type: 'tool-call' as const, id: 'a', name: 'f', arguments: '{"x":1}', signature: gemini, path: '' };
    const { content, stop_reason } = write({ content: [call] });
    assert.deepEqual(content, [
      { type: 'thinking', thinking: '', signature: 'tg1.gemini-generate-content.g' },
      { type: 'tool_use', id: 'a', name: 'f', input: { x: 1 }, caller: { type: 'direct' } },
    ]);
    assert.equal(stop_reason, 'tool_use');
  });

  test('shows thoughts, refusals and citations in their places, and no empty text', () => {
    const own = { protocol: 'anthropic-messages', value: 's' };
    const { content, stop_details } = write({
      content: [
        { type: 'reasoning', text: 'hm', signature: own, path: '' },
        { type: 'reasoning', text: '', sealed: own, path: '' },
        { type: 'text', text: '', path: '' },
        {
          type: 'text',
          text: 'x',
          citations: [{ url: 'https://u', title: 'T', quote: 'q' }, { title: 'no' }],
          path: '',
        },
        { type: 'refusal', text: 'No.', path: '' },
        { type: 'tool-call', id: 'a', name: 'f', arguments: '{"broken', path: '' },
      ],
    });
    const citation = {
      type: 'web_search_result_location',
      url: 'https://u',
      title: 'T',
      cited_text: 'q',
      encrypted_index: '',
    };
    assert.deepEqual(content, [
      { type: 'thinking', thinking: 'hm', signature: 's' },
      { type: 'redacted_thinking', data: 's' },
      { type: 'text', text: 'x', citations: [citation] },
      { type: 'text', text: 'No.' },
      { type: 'tool_use', id: 'a', name: 'f', input: { arguments: '{"broken' }, caller: { type: 'direct' } },
    ]);
    assert.deepEqual(stop_details, { type: 'refusal', category: null, explanation: 'No.' });
  });
});

describe('a written stream', () => {
  const start: StreamPart = { type: 'start', id: 'up', usage: undefined };
  const finish: StreamPart = { type: 'finish', finish: { reason: 'stop' }, usage };
  const begin = (index: number, block: Extract<StreamPart, { type: 'block-start' }>['block']): StreamPart => ({
    type: 'block-start',
    index,
    block,
  });
  const delta = (index: number, text: string): StreamPart => ({ type: 'delta', index, text });
  const end = (index: number): StreamPart => ({ type: 'block-end', index });

  test('has the order of events of this protocol', () => {
    const events = stream([start, begin(0, { type: 'text' }), delta(0, 'a'), delta(0, 'b'), end(0), finish]);
    assert.deepEqual(
      events.map(({ type }) => type),
      [
        'message_start',
        'content_block_start',
        'content_block_delta',
        'content_block_delta',
        'content_block_stop',
        'message_delta',
        'message_stop',
      ],
    );
    assert.equal(asRecord(events[0]?.['message'])?.['stop_reason'], null);
  });

  test('gives each delta at once, and a call from its second delta on', () => {
    const writer = anthropicMessagesClient.writeStream(context);
    const text = (part: StreamPart): boolean => writer.write(part) !== '';
    assert.deepEqual([start, begin(0, { type: 'text' }), delta(0, 'a'), delta(0, 'b')].map(text), [
      true,
      false,
      true,
      true,
    ]);
    const call = begin(1, { type: 'tool-call', id: 'a', name: 'f' });
    assert.deepEqual([end(0), call, delta(1, '{'), delta(1, '}'), end(1)].map(text), [true, false, false, true, true]);
  });

  test('puts the signature of a call before it, even when the arguments came first', () => {
    const signature: StreamPart = { type: 'signature', index: 0, signature: gemini };
    const call = begin(0, { type: 'tool-call', id: 'a', name: 'f' });
    const expected = [
      { type: 'thinking', thinking: '', signature: 'tg1.gemini-generate-content.g' },
      { type: 'tool_use', id: 'a', name: 'f', input: { x: 1 }, caller: { type: 'direct' } },
    ];
    for (const middle of [
      [signature, delta(0, '{"x":1}')],
      [delta(0, '{"x":1}'), signature],
    ])
      assert.deepEqual(accumulate(stream([start, call, ...middle, end(0), finish]))['content'], expected);
  });

  test('lets interleaved blocks follow one another, and closes what was left open', () => {
    const message = accumulate(
      stream([
        start,
        begin(3, { type: 'tool-call', id: 'a', name: 'f' }),
        begin(5, { type: 'tool-call', id: 'b', name: 'g' }),
        delta(5, '{"y":'),
        delta(3, '{"x":'),
        delta(5, '2}'),
        delta(3, '1}'),
        end(5),
        end(3),
        begin(7, { type: 'text' }),
        delta(7, 'open'),
        finish,
      ]),
    );
    assert.deepEqual(message['content'], [
      { type: 'tool_use', id: 'a', name: 'f', input: { x: 1 }, caller: { type: 'direct' } },
      { type: 'tool_use', id: 'b', name: 'g', input: { y: 2 }, caller: { type: 'direct' } },
      { type: 'text', text: 'open' },
    ]);
    assert.equal(message['stop_reason'], 'tool_use');
  });

  test('ends with an error event where the upstream broke', () => {
    const [, error] = stream([start, { type: 'error', message: 'm', code: 'rate_limit_error' }]);
    assert.deepEqual(error, { type: 'error', error: { type: 'rate_limit_error', message: 'm' }, request_id: null });
  });

  test('says the same as the whole answer, and this protocol reads back what it wrote', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 });
    const block = fc.oneof(
      fc.record({ type: fc.constant('text' as const), text: text.filter((value) => value !== '') }),
      fc.record({ type: fc.constant('reasoning' as const), text }),
      fc.record({ type: fc.constant('tool-call' as const), text: fc.jsonValue().map((x) => JSON.stringify({ x })) }),
    );
    fc.assert(
      fc.property(fc.array(block, { maxLength: 6 }), (blocks) => {
        const parts: StreamPart[] = [start];
        for (const [index, { type, text: value }] of blocks.entries()) {
          const opened = type === 'tool-call' ? { type, id: `id${index}`, name: 'f' } : { type };
          const middle = Math.floor(value.length / 2);
          parts.push(
            begin(index, opened),
            delta(index, value.slice(0, middle)),
            delta(index, value.slice(middle)),
            end(index),
          );
        }
        parts.push(finish);
        const folded = foldParts(parts);
        assert.ok(folded !== undefined);
        const whole = write(folded);
        const streamed = accumulate(stream(parts));
        assert.deepEqual(streamed, whole);
        const back = anthropicMessagesUpstream.readResult(Buffer.from(JSON.stringify(whole)));
        assert.deepEqual(back?.usage, usage);
        assert.deepEqual(back?.content, folded.content);
      }),
    );
  });
});
