import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { foldParts } from '../../../neutral/fold-parts.ts';
import type { StreamPart } from '../../../neutral/stream-part.ts';
import { NO_USAGE } from '../../../neutral/usage.ts';
import { EventAligner, eventsOf } from '../../stream/sse.ts';
import { readResult } from './read-result.ts';
import { MessagesPartsReader } from './read-stream.ts';

const say = (type: string, more: object = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
const start = (index: number, block: object): string => say('content_block_start', { index, content_block: block });
const delta = (index: number, type: string, more: object): string =>
  say('content_block_delta', { index, delta: { type, ...more } });
const stop = (index: number): string => say('content_block_stop', { index });
const START = say('message_start', { message: { id: 'msg_1', usage: { input_tokens: 10, output_tokens: 1 } } });
const END =
  say('message_delta', { delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 40 } }) + say('message_stop');
const own = (value: string) => ({ protocol: 'anthropic-messages', value });
const CITATION = { type: 'web_search_result_location', url: 'https://u', title: 'T', cited_text: 'q' };

const STREAM =
  START +
  say('ping') +
  start(0, { type: 'thinking', thinking: '', signature: '' }) +
  delta(0, 'thinking_delta', { thinking: 'hm…' }) +
  delta(0, 'signature_delta', { signature: 'sig' }) +
  stop(0) +
  start(1, { type: 'redacted_thinking', data: 'xyz' }) +
  stop(1) +
  start(2, { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }) +
  delta(2, 'input_json_delta', { partial_json: '{"q":1}' }) +
  stop(2) +
  start(3, { type: 'text', text: '' }) +
  delta(3, 'text_delta', { text: 'Grüß' }) +
  delta(3, 'citations_delta', { citation: CITATION }) +
  delta(3, 'text_delta', { text: ' Gott' }) +
  delta(3, 'unheard_delta', { text: '?' }) +
  stop(3) +
  start(4, { type: 'tool_use', id: 'a', name: 'f', input: {} }) +
  delta(4, 'input_json_delta', { partial_json: '' }) +
  delta(4, 'input_json_delta', { partial_json: '{"x":' }) +
  delta(4, 'input_json_delta', { partial_json: '1}' }) +
  stop(4) +
  start(5, { type: 'tool_use', id: 'b', name: 'g', input: {} }) +
  stop(5) +
  say('unheard_event') +
  END;

function read(chunks: Iterable<Buffer>): StreamPart[] {
  const reader = new MessagesPartsReader();
  const aligner = new EventAligner();
  const parts: StreamPart[] = [];
  for (const chunk of chunks)
    for (const event of eventsOf(aligner.push(chunk) ?? Buffer.alloc(0))) parts.push(...reader.push(event));
  return [...parts, ...reader.end()];
}
const readText = (text: string): StreamPart[] => read([Buffer.from(text)]);

const CONTENT = [
  { type: 'reasoning', text: 'hm…', signature: own('sig'), path: '' },
  { type: 'reasoning', text: '', sealed: own('xyz'), path: '' },
  {
    type: 'text',
    text: 'Grüß Gott',
    citations: [{ url: 'https://u', title: 'T', quote: 'q', start: 0, end: 9 }],
    path: '',
  },
  { type: 'tool-call', id: 'a', name: 'f', arguments: '{"x":1}', path: '' },
  { type: 'tool-call', id: 'b', name: 'g', arguments: '{}', path: '' },
];
const USAGE = { ...NO_USAGE, input: 10, output: 40 };

describe('a stream of an upstream', () => {
  test('becomes parts that fold into the whole result', () => {
    const parts = readText(STREAM);
    assert.deepEqual(foldParts(parts), {
      id: 'msg_1',
      content: CONTENT,
      finish: { reason: 'tool-calls' },
      usage: USAGE,
    });
    assert.deepEqual(parts[0], { type: 'start', id: 'msg_1', usage: { ...NO_USAGE, input: 10, output: 1 } });
    const open = new Set<number>();
    for (const part of parts) {
      if (part.type === 'block-start') open.add(part.index);
      else if (part.type === 'block-end') assert.equal(open.delete(part.index), true);
    }
    assert.equal(open.size, 0);
  });

  test('gives the same parts however its bytes are cut', () => {
    const bytes = Buffer.from(STREAM);
    const expected = readText(STREAM);
    fc.assert(
      fc.property(fc.array(fc.nat({ max: bytes.length }), { maxLength: 40 }), (positions) => {
        const cuts = [...new Set(positions)].sort((a, b) => a - b);
        const chunks = [...cuts, bytes.length].map((end, index) => bytes.subarray(cuts[index - 1] ?? 0, end));
        assert.deepEqual(read(chunks), expected);
      }),
    );
  });

  test('that lacks its last event is whole once the model said why it stopped', () => {
    const without = START + say('message_delta', { delta: { stop_reason: 'stop_sequence', stop_sequence: 'END' } });
    assert.deepEqual(readText(without).at(-1), {
      type: 'finish',
      finish: { reason: 'stop', stopSequence: 'END' },
      usage: { ...NO_USAGE, input: 10, output: 1 },
    });
    assert.equal(
      readText(START + start(0, { type: 'text', text: 'a' })).some(({ type }) => type === 'finish'),
      false,
    );
  });

  test('tells why the model declined', () => {
    const stop_details = { type: 'refusal', category: 'bio', explanation: 'Not that.' };
    const declined =
      START + say('message_delta', { delta: { stop_reason: 'refusal', stop_details } }) + say('message_stop');
    const { content, finish } = foldParts(readText(declined)) ?? {};
    assert.deepEqual(content, [{ type: 'refusal', text: 'Not that.', path: '' }]);
    assert.deepEqual(finish, { reason: 'refusal' });
  });

  test('ends with an error that the upstream reports', () => {
    const error = say('error', { error: { type: 'overloaded_error', message: 'Overloaded' } });
    assert.deepEqual(readText(error + START), [{ type: 'error', message: 'Overloaded', code: 'overloaded_error' }]);
    assert.equal(readText(START + error + END).at(-1)?.type, 'error');
  });

  test('of another protocol is refused, and nonsense inside is skipped', () => {
    for (const text of ['data: {"choices":[]}\n\n', 'data: [DONE]\n\n', stop(0)])
      assert.throws(() => readText(text), { name: 'StreamError' });
    const nonsense =
      'data: [1]\n\ndata: {\n\n' +
      say('content_block_start') +
      start(0, { type: 'tool_use', id: 5 }) +
      delta(9, 'text_delta', { text: 'x' }) +
      say('content_block_delta', { index: null, delta: 7 }) +
      say('message_delta', { delta: null, usage: 'much' });
    const result = foldParts(readText(START + nonsense + END));
    assert.deepEqual([result?.content, result?.usage], [[], USAGE]);
  });

  test('survives any JSON in its events', () => {
    const event = fc.tuple(
      fc.constantFrom(
        'message_start',
        'content_block_start',
        'content_block_delta',
        'content_block_stop',
        'message_delta',
      ),
      fc.dictionary(fc.constantFrom('index', 'delta', 'content_block', 'message', 'usage'), fc.jsonValue()),
    );
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const text = events.map(([type, more]) => `data: ${JSON.stringify({ ...more, type })}\n\n`).join('');
        assert.equal(readText(START + text + END).at(-1)?.type, 'finish');
      }),
    );
  });
});

describe('a whole answer of an upstream', () => {
  test('says what its stream says', () => {
    const body = {
      id: 'msg_1',
      type: 'message',
      content: [
        { type: 'thinking', thinking: 'hm…', signature: 'sig' },
        { type: 'redacted_thinking', data: 'xyz' },
        { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
        { type: 'text', text: 'Grüß Gott', citations: [CITATION, 5] },
        { type: 'tool_use', id: 'a', name: 'f', input: { x: 1 } },
        { type: 'tool_use', id: 'b', name: 'g', input: null },
        7,
      ],
      stop_reason: 'tool_use',
      usage: { input_tokens: 10, output_tokens: 40 },
    };
    const result = { id: 'msg_1', content: CONTENT, finish: { reason: 'tool-calls' }, usage: USAGE };
    assert.deepEqual(readResult(Buffer.from(JSON.stringify(body))), result);
  });

  test('is none when it is an error, or of another protocol', () => {
    for (const text of ['{"type":"error","error":{}}', '{"choices":[]}', '<html>', '[]'])
      assert.equal(readResult(Buffer.from(text)), undefined);
  });

  test('maps every reason, and an unknown one is other', () => {
    const words = [
      'end_turn',
      'max_tokens',
      'stop_sequence',
      'tool_use',
      'pause_turn',
      'refusal',
      'model_context_window_exceeded',
      'new',
    ];
    const reasons = words.map(
      (stop_reason) => readResult(Buffer.from(JSON.stringify({ content: [], stop_reason })))?.finish.reason,
    );
    assert.deepEqual(reasons, ['stop', 'length', 'stop', 'tool-calls', 'pause', 'refusal', 'length', 'other']);
  });
});
