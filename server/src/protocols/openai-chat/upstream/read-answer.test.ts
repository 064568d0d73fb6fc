import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { foldParts } from '../../../neutral/fold-parts.ts';
import type { GenerationResult } from '../../../neutral/generation.ts';
import type { StreamPart } from '../../../neutral/stream-part.ts';
import { NO_USAGE } from '../../../neutral/usage.ts';
import { StreamError } from '../../protocol.ts';
import { EventAligner, eventsOf } from '../../stream/sse.ts';
import { readResult } from './read-result.ts';
import { ChatPartsReader } from './read-stream.ts';

const own = (value: string) => ({ protocol: 'openai-chat', value });
const whole = (message: unknown, finish_reason: unknown = 'stop', more: object = {}): GenerationResult | undefined =>
  readResult(Buffer.from(JSON.stringify({ id: 'a', choices: [{ index: 0, message, finish_reason }], ...more })));

describe('a whole chat answer', () => {
  test('is read with reasoning, text, citations, calls and usage', () => {
    const url_citation = { url: 'u', title: 't', start_index: 0, end_index: 2 };
    const result = whole(
      {
        content: 'Hi',
        reasoning_content: 'hm',
        annotations: [{ type: 'url_citation', url_citation }, { type: 'file' }, null],
        tool_calls: [
          {
            id: 'c',
            function: { name: 'f', arguments: '{"a":1}' },
            extra_content: { google: { thought_signature: 'G' } },
          },
          { function: { name: 'g', arguments: '' } },
        ],
      },
      'tool_calls',
      {
        usage: {
          prompt_tokens: 9,
          completion_tokens: 3,
          prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
          completion_tokens_details: { reasoning_tokens: 1 },
        },
      },
    );
    assert.deepEqual(result, {
      id: 'a',
      content: [
        { type: 'reasoning', text: 'hm', path: '' },
        { type: 'text', text: 'Hi', citations: [{ url: 'u', title: 't', start: 0, end: 2 }], path: '' },
        { type: 'tool-call', id: 'c', name: 'f', arguments: '{"a":1}', signature: own('call:G'), path: '' },
        { type: 'tool-call', id: '', name: 'g', arguments: '{}', path: '' },
      ],
      finish: { reason: 'tool-calls' },
      usage: { ...NO_USAGE, input: 9, output: 3, cachedInput: 4, cacheWrite: 2, reasoning: 1 },
    });
  });

  test('is read with signed and sealed reasoning, which then stands for the plain text', () => {
    const reasoning_details = [
      { type: 'reasoning.text', text: 'hm', signature: 'S' },
      { type: 'reasoning.encrypted', data: 'E' },
    ];
    assert.deepEqual(whole({ content: '', reasoning: 'hm', reasoning_details })?.content, [
      { type: 'reasoning', text: 'hm', signature: own('S'), path: '' },
      { type: 'reasoning', text: '', sealed: own('E'), path: '' },
    ]);
    const unsigned = [{ type: 'reasoning.text', text: 'other' }];
    assert.deepEqual(whole({ reasoning: 'hm', reasoning_details: unsigned })?.content, [
      { type: 'reasoning', text: 'hm', path: '' },
    ]);
  });

  test('says why it ended, also where the provider only says stop', () => {
    const reason = (finish: unknown, message: object = { content: 'x' }): unknown =>
      whole(message, finish)?.finish.reason;
    assert.deepEqual(
      ['stop', 'length', 'tool_calls', 'function_call', 'content_filter', null, 'eos', 'constructor'].map((one) =>
        reason(one),
      ),
      ['stop', 'length', 'tool-calls', 'tool-calls', 'content-filter', 'stop', 'other', 'other'],
    );
    assert.equal(reason('stop', { refusal: 'no' }), 'refusal');
    assert.equal(reason('stop', { tool_calls: [{ id: 'c', function: { name: 'f' } }] }), 'tool-calls');
  });

  test('of any shape is read without harm', () => {
    for (const body of ['', '[]', '{}', '{"choices":[]}', '{"choices":[{}]}', '{"choices":[{"message":[]}]}', 'null']) {
      assert.equal(readResult(Buffer.from(body)), undefined);
    }
    const odd = { content: 5, tool_calls: [null, 'x', { function: 3 }, {}], annotations: {}, reasoning_details: 'x' };
    assert.deepEqual(whole(odd, 7, { usage: 'much' }), {
      id: 'a',
      content: [],
      finish: { reason: 'stop' },
      usage: undefined,
    });
    const listed = whole({ content: [{ type: 'text', text: 'a' }, { type: 'text', text: 'b' }, null] });
    assert.deepEqual(listed?.content, [{ type: 'text', text: 'ab', path: '' }]);
  });
});

const chunk = (delta: unknown, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'a', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const DONE = 'data: [DONE]\n\n';

function parts(text: string, reader = new ChatPartsReader()): StreamPart[] {
  return eventsOf(Buffer.from(text)).flatMap((event) => reader.push(event));
}
const fold = (text: string): GenerationResult | undefined => foldParts(parts(text));
const call = (index: number | undefined, fields: object, rest: object = {}): object => ({
  tool_calls: [{ index, function: fields, ...rest }],
});

const RICH =
  chunk({ role: 'assistant', content: '' }) +
  chunk({ reasoning_content: 'h' }) +
  chunk({ reasoning_content: 'm' }) +
  chunk({ content: 'Hé' }) +
  ': comment\r\n\r\n' +
  chunk({ content: '!' }) +
  chunk({ annotations: [{ url_citation: { url: 'u' } }] }) +
  chunk(call(0, { name: 'f', arguments: '' }, { id: 'c1', extra_content: { google: { thought_signature: 'G' } } })) +
  chunk(call(0, { arguments: '{"a":' })) +
  chunk(call(0, { arguments: '1}' })) +
  chunk(call(1, { name: 'g', arguments: '{}' }, { id: 'c2' })) +
  chunk({}, 'tool_calls') +
  'data: {"id":"a","choices":[],"usage":{"prompt_tokens":9,"completion_tokens":3}}\n\n' +
  DONE;

describe('a chat stream', () => {
  test('becomes blocks one after the other, with the usage in its end', () => {
    assert.deepEqual(parts(RICH), [
      { type: 'start', id: 'a' },
      { type: 'block-start', index: 0, block: { type: 'reasoning' } },
      { type: 'delta', index: 0, text: 'h' },
      { type: 'delta', index: 0, text: 'm' },
      { type: 'block-end', index: 0 },
      { type: 'block-start', index: 1, block: { type: 'text' } },
      { type: 'delta', index: 1, text: 'Hé' },
      { type: 'delta', index: 1, text: '!' },
      { type: 'citation', index: 1, citation: { url: 'u' } },
      { type: 'block-end', index: 1 },
      { type: 'block-start', index: 2, block: { type: 'tool-call', id: 'c1', name: 'f' } },
      { type: 'signature', index: 2, signature: own('call:G') },
      { type: 'delta', index: 2, text: '{"a":' },
      { type: 'delta', index: 2, text: '1}' },
      { type: 'block-end', index: 2 },
      { type: 'block-start', index: 3, block: { type: 'tool-call', id: 'c2', name: 'g' } },
      { type: 'delta', index: 3, text: '{}' },
      { type: 'block-end', index: 3 },
      { type: 'finish', finish: { reason: 'tool-calls' }, usage: { ...NO_USAGE, input: 9, output: 3 } },
    ]);
  });

  test('gives the same parts however its bytes are cut', () => {
    const bytes = Buffer.from(RICH);
    const expected = parts(RICH);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 40 }), (cuts) => {
        const aligner = new EventAligner();
        const reader = new ChatPartsReader();
        const positions = [0, ...cuts.toSorted((one, other) => one - other), bytes.length];
        const read = positions.slice(1).flatMap((end, index) => {
          const block = aligner.push(bytes.subarray(positions[index], end));
          return block === undefined ? [] : eventsOf(block).flatMap((event) => reader.push(event));
        });
        assert.deepEqual(read, expected);
      }),
    );
  });

  test('may interleave its calls, repeat their names, leave out positions and send a name late', () => {
    const calls = (text: string): unknown =>
      fold(text + chunk({}, 'stop') + DONE)?.content.map((part) =>
        part.type === 'tool-call' ? [part.id, part.name, part.arguments] : part.type,
      );
    const first = chunk(call(0, { name: 'f', arguments: '{"a":' }, { id: 'c1' }));
    const second = chunk(call(1, { name: 'g', arguments: '{"b":' }, { id: 'c2' }));
    const both = [
      ['c1', 'f', '{"a":1}'],
      ['c2', 'g', '{"b":2}'],
    ];
    const rest = chunk(call(1, { arguments: '2}' })) + chunk(call(0, { arguments: '1}' }));
    assert.deepEqual(calls(first + second + rest), both);
    const again = chunk(call(0, { name: 'f', arguments: '1}' }, { id: 'c1' }));
    const samePosition = chunk(call(0, { name: 'g', arguments: '{"b":2}' }, { id: 'c2' }));
    assert.deepEqual(calls(first + again + samePosition), both);
    const unsupported =
      chunk(call(undefined, { name: 'f', arguments: '{"a":1}' }, { id: 'c1' })) +
      chunk(call(undefined, { name: 'g', arguments: '{"b":2}' }, { id: 'c2' }));
    assert.deepEqual(calls(unsupported), both);
    const late = chunk(call(0, { arguments: '{"a":' }, { id: 'c1' })) + chunk(call(0, { name: 'f', arguments: '1}' }));
    assert.deepEqual(calls(late), [both[0]]);
    assert.deepEqual(calls(chunk(call(0, { arguments: '{}' }))), []);
  });

  test('carries reasoning with its signatures, once', () => {
    const reasoning_details = [{ type: 'reasoning.text', text: 'hm', signature: 'S' }];
    const sealed = chunk({ reasoning_details: [{ type: 'reasoning.encrypted', data: 'E' }] });
    const expected = [
      { type: 'reasoning', text: 'hm', signature: own('S'), path: '' },
      { type: 'reasoning', text: '', sealed: own('E'), path: '' },
      { type: 'text', text: 'x', path: '' },
    ];
    const end = sealed + chunk({ content: 'x' }, 'stop') + DONE;
    const plain = chunk({ reasoning: 'h' }) + chunk({ reasoning: 'm' }) + chunk({ reasoning_details });
    assert.deepEqual(fold(plain + end)?.content, expected);
    assert.deepEqual(fold(chunk({ reasoning_details }) + end)?.content, expected);
  });

  test('ends by its marker, or without one when it has said why it stopped', () => {
    const reader = new ChatPartsReader();
    parts(chunk({ content: 'x' }), reader);
    assert.deepEqual(reader.end(), []);
    parts(chunk({}, 'length'), reader);
    assert.deepEqual(
      reader.end().map(({ type }) => type),
      ['block-end', 'finish'],
    );
    assert.deepEqual(reader.end(), []);
    assert.equal(fold(chunk({ content: 'x' }) + DONE)?.finish.reason, 'stop');
    assert.equal(fold(chunk({ refusal: 'no' }, 'stop') + DONE)?.finish.reason, 'refusal');
  });

  test('may report an error at any time', () => {
    const error = (text: string): StreamPart | undefined => parts(text).at(-1);
    const complaint = { type: 'error', message: 'busy', code: 'overloaded' };
    assert.deepEqual(error('data: {"error":{"message":"busy","code":"overloaded"}}\n\n'), complaint);
    const late = 'data: {"choices":[],"error":{"message":"busy","code":"overloaded"}}\n\n';
    assert.deepEqual(error(chunk({ content: 'x' }) + late + DONE), complaint);
    const silent = { type: 'error', message: 'The provider reported an error.', code: undefined };
    assert.deepEqual(error('data: {"error":{}}\n\n'), silent);
  });

  test('of another protocol is refused, and oddities within one are passed over', () => {
    assert.throws(() => parts('data: <html>\n\n'), StreamError);
    assert.throws(() => parts(DONE), StreamError);
    const odd = [5, {}, { delta: 'x' }, { delta: { content: 7, tool_calls: [1, { index: -1 }] }, index: 0 }];
    const strange = `data: ${JSON.stringify({ id: 4, choices: [...odd, null], usage: 'x' })}\n\n`;
    const other = 'data: {"choices":[{"index":1,"delta":{"content":"second"}}]}\n\n';
    const text = `${strange}data: nonsense\n\n${other}data: {"choices":5}\n\n${chunk({ content: 'x' }, 'stop')}${DONE}`;
    assert.deepEqual(fold(text + chunk({ content: 'late' })), {
      id: undefined,
      content: [{ type: 'text', text: 'x', path: '' }],
      finish: { reason: 'stop' },
      usage: undefined,
    });
  });
});
