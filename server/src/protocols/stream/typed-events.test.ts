import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NO_USAGE } from '../../neutral/usage.ts';
import { complaintOf } from '../openai-chat/error.ts';
import { TypedEventReader } from './typed-events.ts';

const reader = (failures = ['error']): TypedEventReader =>
  new TypedEventReader({
    ends: ['done'],
    failures,
    pieces: ['delta'],
    countTokens: (pieces) => pieces,
    readUsage: ({ usage }) => (typeof usage === 'number' ? { ...NO_USAGE, output: usage } : undefined),
    readComplaint: complaintOf,
  });
const DELTA = 'data: {"type":"delta"}\n\n';
const END = 'event: done\ndata: {"type":"done","usage":7}';

describe('the last event may lack the empty line that closes it', () => {
  for (const closing of ['', '\n', '\r', '\r\n'])
    for (const before of ['', DELTA])
      test(`an end before ${JSON.stringify(closing)} is the end, after ${before.length} bytes`, () => {
        const events = reader();
        assert.equal(String(events.push(Buffer.from(before + END + closing)) ?? ''), before);
        assert.equal(events.ended, false);
        for (let asked = 0; asked < 2; asked++) assert.equal(events.isComplete(), true);
        assert.deepEqual([events.started, events.ended, events.usage?.output], [true, true, 7]);
        assert.match(String(events.last), /^event: done\r?\n?data: \{"type":"done","usage":7\}(\n\n|\r\n\n|\r\n\r\n)$/);
      });

  test('a failure is reported, and is no end', () => {
    for (const before of ['', DELTA]) {
      const events = reader();
      events.push(Buffer.from(`${before}data: {"type":"error","error":{"message":"no more"}}`));
      assert.deepEqual([events.isComplete(), events.complaint?.message], [false, 'no more']);
    }
  });

  test('one that is cut, and one that is neither, change nothing', () => {
    for (const before of ['', DELTA])
      for (const rest of [
        END.slice(0, -1),
        'event: done\nda',
        'data: {"type":"delta"}\n',
        ': done',
        'data: done',
        '',
      ]) {
        const events = reader();
        events.push(Buffer.from(before + rest));
        assert.equal(events.isComplete(), false, rest);
        assert.deepEqual([events.complaint, events.ended, events.last], [undefined, false, undefined]);
        assert.equal(events.outputPieces, before === '' ? 0 : 1);
      }
  });
});

describe('an event whose data names no type', () => {
  test('has the type of its `event:` line', () => {
    const events = reader();
    const delta = 'event: delta\ndata: {"x":1}\n\n';
    assert.equal(String(events.push(Buffer.from(delta))), delta);
    assert.equal(events.outputPieces, 1);
    assert.equal(events.push(Buffer.from('data: {"usage":3}\r\nevent:done\r\n\r\n')), undefined);
    assert.deepEqual([events.ended, events.usage?.output], [true, 3]);
    const failing = reader();
    failing.push(Buffer.from('event: error\ndata: {"message":"no"}\n\n'));
    assert.equal(failing.complaint?.message, 'no');
    const unclosed = reader();
    unclosed.push(Buffer.from('event: done\ndata: {}'));
    assert.equal(unclosed.isComplete(), true);
  });

  test('has none when the line says only that it is a message', () => {
    for (const line of ['', 'event: message\n']) {
      const events = reader(['error', '']);
      events.push(Buffer.from(`${line}data: {"error":{"message":"no"}}\n\n`));
      assert.equal(events.complaint?.message, 'no');
    }
  });

  test('has the type of its data, where that names one', () => {
    const events = reader();
    events.push(Buffer.from('event: done\ndata: {"type":"delta"}\n\n'));
    assert.deepEqual([events.ended, events.outputPieces], [false, 1]);
  });
});
