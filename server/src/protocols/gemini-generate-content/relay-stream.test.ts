import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { StreamError } from '../protocol.ts';
import { ContentStreamReader } from './relay-stream.ts';

const event = (data: object): string => `data: ${JSON.stringify(data)}\r\n\r\n`;
const piece = (text: string, more: object = {}, index = 0): object => ({
  candidates: [{ content: { parts: text === '' ? [] : [{ text }], role: 'model' }, index, ...more }],
});
const USAGE = { usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, thoughtsTokenCount: 4 } };
const push = (reader: ContentStreamReader, text: string): string => reader.push(Buffer.from(text))?.toString() ?? '';

describe('a stream between a client and an upstream of the same protocol', () => {
  test('passes untouched; what completes it waits for the end, with the usage that follows it', () => {
    const reader = new ContentStreamReader();
    const unknown = { candidates: [{ content: { parts: [{ somethingNew: 1 }] } }], later: true };
    assert.equal(push(reader, event(piece('a'))), event(piece('a')));
    assert.equal(push(reader, event(unknown)), event(unknown));
    const last = event(piece('b', { finishReason: 'STOP' }));
    assert.equal(push(reader, last), '');
    assert.equal(push(reader, event(USAGE)), '');
    assert.equal(reader.ended, false);
    assert.equal(reader.isComplete(), true);
    assert.equal(reader.last?.toString(), last + event(USAGE));
    assert.deepEqual([reader.usage?.input, reader.usage?.output, reader.usage?.reasoning], [3, 6, 4]);
  });

  test('is complete only when every candidate is', () => {
    const reader = new ContentStreamReader();
    const first = event(piece('a', { finishReason: 'STOP' }));
    const second = event(piece('b', {}, 1));
    assert.equal(push(reader, first), '');
    assert.equal(push(reader, second), first + second);
    assert.equal(reader.isComplete(), false);
    push(reader, event(piece('', { finishReason: 'MAX_TOKENS' }, 1)));
    assert.equal(reader.isComplete(), true);
  });

  test('flows even where every piece calls itself the last', () => {
    const reader = new ContentStreamReader();
    const pieces = ['a', 'b', 'c'].map((text) => event(piece(text, { finishReason: 'STOP' })));
    assert.deepEqual(
      pieces.map((text) => push(reader, text)),
      ['', pieces[0], pieces[1]],
    );
    assert.equal(reader.last?.toString(), pieces[2]);
  });

  test('is complete when the prompt was blocked, and when the last event lacks only its empty line', () => {
    const blocked = new ContentStreamReader();
    push(blocked, event({ promptFeedback: { blockReason: 'SAFETY' }, ...USAGE }));
    assert.equal(blocked.isComplete(), true);
    const unclosed = new ContentStreamReader();
    push(unclosed, event(piece('a')));
    push(unclosed, event(piece('b', { finishReason: 'STOP' })).trimEnd());
    assert.equal(unclosed.isComplete(), true);
    assert.match(unclosed.last?.toString() ?? '', /"b".*\n\n$/s);
  });

  test('is broken when it was cut, or empty', () => {
    const cut = new ContentStreamReader();
    push(cut, event(piece('a')));
    assert.equal(cut.isComplete(), false);
    push(cut, event(piece('b', { finishReason: 'STOP' })).slice(0, -12));
    assert.equal(cut.isComplete(), false);
    assert.equal(new ContentStreamReader().isComplete(), false);
    assert.throws(() => push(new ContentStreamReader(), 'data: oops\n\n'), StreamError);
  });

  test('reports an error that comes as an event, as plain JSON, or unclosed', () => {
    const error = JSON.stringify({ error: { code: 503, message: 'busy', status: 'UNAVAILABLE' } }, null, 2);
    const reported = { message: 'busy', code: 'UNAVAILABLE', param: undefined };
    for (const text of [`data: ${JSON.stringify(JSON.parse(error))}\n\n`, `${error}\n\n`, error]) {
      const reader = new ContentStreamReader();
      assert.equal(push(reader, event(piece('a')) + text), event(piece('a')));
      assert.equal(reader.isComplete(), false);
      assert.deepEqual(reader.complaint, reported);
    }
  });

  test('counts what was said where nobody tells the usage', () => {
    const reader = new ContentStreamReader();
    push(reader, event(piece('a'.repeat(40))));
    push(reader, event({ candidates: [{ content: { parts: [{ inlineData: { data: 'x' } }] } }] }));
    push(reader, event({ candidates: [{ content: { parts: [{ inline_data: { data: 'x' } }] } }] }));
    assert.equal(reader.usage, undefined);
    assert.equal(reader.outputPieces, 10 + 2 * 1290);
  });

  test('gives the same bytes however the network cuts them', () => {
    const whole = Buffer.from(
      event(piece('Grüß')) + event(piece('…', USAGE)) + event(piece('', { finishReason: 'STOP' })) + event(USAGE),
    );
    fc.assert(
      fc.property(fc.array(fc.nat(whole.length), { maxLength: 12 }), (positions) => {
        const reader = new ContentStreamReader();
        const ends = [...positions.toSorted((a, b) => a - b), whole.length];
        let written = '';
        let start = 0;
        for (const end of ends) {
          written += reader.push(whole.subarray(start, end))?.toString() ?? '';
          start = end;
        }
        assert.equal(reader.isComplete(), true);
        assert.equal(written + (reader.last?.toString() ?? ''), whole.toString());
        assert.equal(reader.usage?.output, 6);
      }),
    );
  });
});
