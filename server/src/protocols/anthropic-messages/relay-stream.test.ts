import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { NO_USAGE } from '../../neutral/usage.ts';
import { MessagesStreamReader } from './relay-stream.ts';

const say = (type: string, more: object = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
const START = say('message_start', {
  message: { id: 'msg_1', type: 'message', usage: { input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 1 } },
});
const delta = (text: string): string => say('content_block_delta', { index: 0, delta: { type: 'text_delta', text } });
const DELTA_END = say('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 12 } });
const STOP = say('message_stop');
const STREAM = Buffer.from(
  START +
    ': a comment\n\n' +
    say('ping') +
    say('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }) +
    delta('Héllo "error" message_stop') +
    delta(' wörld') +
    say('something_new', { data: [1] }) +
    say('content_block_stop', { index: 0 }) +
    DELTA_END +
    STOP,
);
const USAGE = { ...NO_USAGE, input: 15, cachedInput: 5, output: 12 };

function cutAt(bytes: Buffer, positions: number[]): Buffer[] {
  const cuts = [...new Set(positions.map((position) => position % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...cuts, bytes.length].map((end, index) => bytes.subarray(cuts[index - 1] ?? 0, end));
}

function read(...texts: string[]): MessagesStreamReader {
  const reader = new MessagesStreamReader();
  for (const text of texts) reader.push(Buffer.from(text));
  return reader;
}

describe('a stream of messages', () => {
  test('passes as it came, unknown events too, however it is cut; its last event is held back', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: STREAM.length }), { maxLength: 40 }), fc.boolean(), (positions, crlf) => {
        const bytes = crlf ? Buffer.from(String(STREAM).replaceAll('\n', '\r\n')) : STREAM;
        const reader = new MessagesStreamReader();
        const shown = cutAt(bytes, positions).flatMap((chunk) => reader.push(chunk) ?? []);
        assert.equal(String(Buffer.concat([...shown, reader.last ?? Buffer.alloc(0)])), String(bytes));
        assert.match(String(reader.last), /^\s*event: message_stop/); // a cut inside CR LF leaves the LF to the next event
        assert.deepEqual([reader.started, reader.ended, reader.isComplete()], [true, true, true]);
        assert.deepEqual(reader.usage, USAGE);
        assert.equal(reader.complaint, undefined);
      }),
    );
  });

  test('counts its pieces, and by its bytes when much text comes in few events', () => {
    const parts = Array.from({ length: 20 }, () => delta('ab'));
    assert.equal(read(START, ...parts).outputPieces, 20);
    assert.equal(read(START, parts.join('')).outputPieces, 20);
    const packed = read(START, delta('x'.repeat(4000))).outputPieces;
    assert.ok(packed > 950 && packed < 1050, String(packed));
  });

  test('counts neither signatures of thoughts that it shows nor citations (promise M-07)', () => {
    const event = (data: object): string =>
      `event: content_block_delta\ndata: ${JSON.stringify({ type: 'content_block_delta', index: 0, delta: data })}\n\n`;
    const long = 'x'.repeat(4_000);
    const signature = event({ type: 'signature_delta', signature: long });
    const citation = event({ type: 'citations_delta', citation: { cited_text: long, text: long } });
    const thought = event({ type: 'thinking_delta', thinking: 'hm' });
    assert.equal(read(START, thought, signature, delta('a'), citation).outputPieces, 2);
    assert.equal(read(START, signature).outputPieces, 1_000, 'sealed thoughts, of which nothing else is seen');
  });

  test('that breaks has reported its input; its output is what has come', () => {
    const reader = read(START, delta('a'), delta('b'), delta('c'));
    assert.deepEqual(reader.usage, { ...USAGE, output: 3 });
    assert.equal(reader.isComplete(), false);
  });

  test('is complete with the reason why it stopped, and gets the end that is missing', () => {
    const reader = read(START, delta('a'), DELTA_END);
    assert.equal(reader.isComplete(), true);
    assert.equal(String(reader.last), STOP);
    const unclosed = read(START, delta('a'), DELTA_END, STOP.trimEnd());
    assert.deepEqual([unclosed.isComplete(), unclosed.ended, String(unclosed.last)], [true, true, STOP]);
    assert.equal(read(START, DELTA_END, 'event: message_st').isComplete(), false);
    const last = read(START, delta('a'), DELTA_END.trimEnd());
    assert.deepEqual([last.isComplete(), String(last.last)], [true, DELTA_END + STOP]);
    assert.equal(last.usage?.output, 12);
    assert.equal(read(START, delta('a').trimEnd()).isComplete(), false);
  });

  test('that reports an error says so, before the first event or after it', () => {
    const error = say('error', { error: { type: 'overloaded_error', message: 'Overloaded' } });
    const complaint = { message: 'Overloaded', code: 'overloaded_error', param: undefined };
    const early = read(say('ping'), error);
    assert.deepEqual([early.started, early.complaint], [false, complaint]);
    const late = new MessagesStreamReader();
    const shown = late.push(Buffer.from(START + delta('a') + error + delta('b')));
    assert.equal(String(shown), START + delta('a'));
    assert.deepEqual([late.complaint, late.isComplete()], [complaint, false]);
    const unclosed = read(START, DELTA_END, error.trimEnd());
    assert.deepEqual([unclosed.isComplete(), unclosed.complaint], [false, complaint]);
    assert.equal(read(START, 'event: error\ndata: {"error":{"message":"x"}}\n\n').complaint?.message, 'x');
  });

  test('of another protocol is refused', () => {
    for (const text of ['data: {"choices":[]}\n\n', 'data: [DONE]\n\n', 'data: <html>\n\n'])
      assert.throws(() => read(text), { name: 'StreamError' });
  });
});
