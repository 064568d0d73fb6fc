import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ImageStreamReader } from './relay-stream.ts';

const event = (type: string, more: object = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, b64_json: 'AAAA', ...more })}\n\n`;
const partial = event('image_generation.partial_image');
const completed = event('image_generation.completed', { usage: { input_tokens: 5, output_tokens: 300 } });

function follow(reader: ImageStreamReader, text: string, pieceBytes: number): string {
  const bytes = Buffer.from(text);
  let passed = '';
  for (let at = 0; at < bytes.length; at += pieceBytes)
    passed += String(reader.push(bytes.subarray(at, at + pieceBytes)) ?? '');
  return passed;
}

test('sketches pass, the finished image is held back with its usage', () => {
  for (const pieceBytes of [1, 7, 10_000]) {
    const reader = new ImageStreamReader(1);
    assert.equal(follow(reader, partial + partial + completed + partial, pieceBytes), partial + partial);
    assert.equal(reader.last?.toString(), completed);
    assert.deepEqual([reader.started, reader.ended, reader.isComplete(), reader.images], [true, true, true, 1]);
    assert.deepEqual([reader.usage?.output, reader.usage?.imageOutput, reader.outputPieces], [300, 300, 300]);
  }
});

test('several images end with the last of them', () => {
  const first = event('image_edit.completed');
  const reader = new ImageStreamReader(2);
  assert.equal(follow(reader, partial + first, 50), partial + first);
  assert.deepEqual(
    [reader.ended, reader.isComplete(), reader.images],
    [false, true, 1],
    'fewer than asked for are an answer',
  );
  assert.equal(follow(reader, partial + completed, 50), partial);
  assert.deepEqual([reader.ended, reader.images, reader.usage?.input], [true, 2, 5]);
});

test('a finished image counts as one of middling quality where its usage is not reported, and a sketch as a piece', () => {
  const sketch = event('image_generation.partial_image', { b64_json: 'A'.repeat(40_000) });
  const untold = event('image_generation.completed', { b64_json: 'A'.repeat(40_000) });
  for (const pieceBytes of [777, 1_000_000]) {
    const reader = new ImageStreamReader(2);
    const counts = [sketch + sketch, untold, sketch, untold].map((text) => {
      follow(reader, text, pieceBytes);
      return reader.outputPieces;
    });
    assert.deepEqual(counts, [2, 1_056, 1_057, 2_112]);
    assert.deepEqual([reader.ended, reader.images, reader.usage], [true, 2, undefined]);
  }
  const impossible = new ImageStreamReader(1);
  follow(impossible, event('image_generation.completed', { usage: { input_tokens: 5, output_tokens: 1e11 } }), 777);
  assert.equal(impossible.outputPieces, 1_056);
});

test('an error event is a complaint, before and after the first image', () => {
  const failure = 'event: error\ndata: {"type":"error","error":{"message":"no more","code":"busy"}}\n\n';
  for (const before of ['', partial]) {
    const reader = new ImageStreamReader(1);
    assert.equal(follow(reader, before + failure, 11), before);
    assert.deepEqual(reader.complaint, { message: 'no more', code: 'busy', param: undefined });
    assert.equal(reader.isComplete(), false);
  }
});

test('the last event may lack the empty line that closes it', () => {
  const unclosed = completed.trimEnd();
  const alone = new ImageStreamReader(1);
  assert.equal(follow(alone, unclosed, 7), '');
  assert.deepEqual([alone.isComplete(), alone.started, alone.images], [true, true, 1]);
  assert.deepEqual([String(alone.last), alone.usage?.output], [completed, 300]);

  const second = new ImageStreamReader(2);
  const first = event('image_generation.completed');
  assert.equal(follow(second, first + partial + unclosed, 50), first + partial);
  assert.deepEqual([second.isComplete(), second.ended, second.images, String(second.last)], [true, true, 2, completed]);

  const fewer = new ImageStreamReader(2);
  follow(fewer, partial + unclosed, 50);
  for (let asked = 0; asked < 2; asked++) assert.equal(fewer.isComplete(), true);
  assert.deepEqual([fewer.images, String(fewer.last), fewer.outputPieces], [1, completed, 300], 'it is not lost');
});

test('a last event that is cut is no image, and one that tells an error is a complaint', () => {
  for (const before of ['', partial]) {
    const cut = new ImageStreamReader(1);
    follow(cut, before + completed.slice(0, -3), 50);
    assert.deepEqual([cut.isComplete(), cut.images, cut.last], [false, 0, undefined]);
  }
  const some = new ImageStreamReader(2);
  follow(some, completed + completed.slice(0, -3), 50);
  assert.deepEqual([some.isComplete(), some.images, some.last], [true, 1, undefined]);
  const failing = new ImageStreamReader(2);
  follow(failing, `${completed}event: error\ndata: {"error":{"message":"no more"}}`, 50);
  assert.deepEqual([failing.isComplete(), failing.complaint?.message], [false, 'no more']);
});
