import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { StreamPart } from '../../neutral/stream-part.ts';
import { NO_USAGE } from '../../neutral/usage.ts';
import { CallNames } from './call-names.ts';
import { StreamError } from '../protocol.ts';
import type { SseEvent } from '../stream/sse.ts';
import { TranslatedStream } from './translated-stream.ts';

/** Every event is a list of parts. */
const reader = {
  push({ data = '[]' }: SseEvent): StreamPart[] {
    if (data === 'cut') throw new StreamError('not of the protocol');
    return JSON.parse(data) as StreamPart[];
  },
  end: (): StreamPart[] => [],
};
const writer = { write: (part: StreamPart) => `<${part.type === 'delta' ? part.text : part.type}>` };
const make = (end?: StreamPart[]): TranslatedStream =>
  new TranslatedStream(end === undefined ? reader : { ...reader, end: () => end }, writer, {
    names: new CallNames('ID'),
  });
const event = (...parts: unknown[]): Buffer => Buffer.from(`data: ${JSON.stringify(parts)}\n\n`);
const say = (text: string): object => ({ type: 'delta', index: 0, text });
const usage = { ...NO_USAGE, input: 2, output: 1 };
const start = { type: 'start', id: 'a', usage };
const finish = { type: 'finish', finish: { reason: 'stop' } };

describe('a translated stream', () => {
  test('tells what it can at once and holds its end back until the money is settled (contract 5)', () => {
    const stream = make();
    assert.equal(stream.push(event(start))?.toString(), '<start>');
    assert.equal(stream.started, true);
    assert.equal(stream.push(Buffer.from('data: [{"type":"del')), undefined);
    assert.equal(stream.push(Buffer.from('ta","index":0,"text":"hi"}]\n\n'))?.toString(), '<hi>');
    assert.equal(stream.push(event(say('!'), finish))?.toString(), '<!>');
    assert.deepEqual([stream.ended, stream.last?.toString()], [true, '<finish>']);
    assert.equal(stream.push(event(say('late'))), undefined);
    assert.equal(stream.isComplete(), true);
  });

  test('keeps the usage of its start where the end tells none', () => {
    const stream = make();
    stream.push(event(start, finish));
    assert.deepEqual(stream.usage, usage);
    const other = make();
    other.push(event(start, { ...finish, usage: { ...usage, output: 9 } }));
    assert.equal(other.usage?.output, 9);
  });

  test('tells nothing after an error', () => {
    const stream = make();
    stream.push(event(start));
    const broken = event({ type: 'error', message: 'no', code: 'c' }, say('x'));
    assert.equal(stream.push(Buffer.concat([broken, event(say('y'), finish)])), undefined);
    assert.deepEqual(stream.complaint, { message: 'no', code: 'c', param: undefined });
    assert.deepEqual([stream.ended, stream.isComplete()], [false, false]);
  });

  test('is complete when only the empty line after its last event is missing', () => {
    const stream = make();
    stream.push(event(start));
    stream.push(Buffer.from(event(say('bye'), finish).toString().trimEnd()));
    assert.equal(stream.isComplete(), true);
    assert.equal(stream.last?.toString(), '<bye><finish>');
    assert.equal(stream.isComplete(), true);
    assert.equal(stream.last?.toString(), '<bye><finish>');
  });

  test('is not complete when its last event was cut, or when there is no end', () => {
    const cut = make();
    cut.push(Buffer.from('data: cut'));
    assert.equal(cut.isComplete(), false);
    const open = make();
    open.push(event(start, say('x')));
    assert.equal(open.isComplete(), false);
  });

  test('is complete where the protocol needs no end of its own', () => {
    const stream = make([finish as StreamPart]);
    stream.push(event(start));
    assert.equal(stream.isComplete(), true);
    assert.equal(stream.last?.toString(), '<finish>');
  });

  test('counts pieces, and bytes where the pieces are large', () => {
    const stream = make();
    stream.push(event(start, say('a'), say('b')));
    assert.equal(stream.outputPieces, 2);
    stream.push(event(say('x'.repeat(398))));
    assert.equal(stream.outputPieces, 100);
  });

  test('tells the same however the bytes are cut', () => {
    const bytes = Buffer.concat([event(start), event(say('é')), Buffer.from(': c\n\n'), event(say('2'), finish)]);
    const run = (chunks: Buffer[]): string => {
      const stream = make();
      const text = chunks.map((chunk) => stream.push(chunk)?.toString() ?? '').join('');
      return `${text}${stream.last?.toString()}`;
    };
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length)), (cuts) => {
        const positions = [0, ...cuts.toSorted((one, other) => one - other), bytes.length];
        const chunks = positions.slice(1).map((end, index) => bytes.subarray(positions[index], end));
        assert.equal(run(chunks), '<start><é><2><finish>');
      }),
    );
  });
});

test('calls without an id get one, and no two calls have the same', () => {
  const names = new CallNames('ID');
  const ids = ['', 'x', 'x', ''].map((id, index) => {
    const part = names.inPart({ type: 'block-start', index, block: { type: 'tool-call', id, name: 'f' } });
    return part.type === 'block-start' && part.block.type === 'tool-call' ? part.block.id : undefined;
  });
  assert.deepEqual(ids, ['call_ID0', 'x', 'call_ID2', 'call_ID3']);
});
