import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readSpeechStream } from '../protocols/openai-audio/relay-stream.ts';
import { ChatStreamReader } from '../protocols/openai-chat/relay-stream.ts';
import type { StreamReader } from '../protocols/protocol.ts';
import type { UpstreamCall } from '../providers/call-upstream.ts';
import { UpstreamError } from '../providers/upstream-error.ts';
import { OpenStream } from './open-stream.ts';

const say = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;
const text = (content: string): string => say({ choices: [{ delta: { content }, finish_reason: null }] });
const FINISH = say({ choices: [{ delta: {}, finish_reason: 'stop' }] });
const ERROR = say({ error: { message: 'busy' } });
const DONE = 'data: [DONE]\n\n';

/** A stream with a call that only writes down how it was aborted, and a consumer that writes down what it got. */
function open(reader: StreamReader = new ChatStreamReader(false)) {
  const opened: OpenStream[] = [];
  const refused: UpstreamError[] = [];
  const aborted: UpstreamError[] = [];
  const got = { bytes: '', ends: [] as (UpstreamError | undefined)[] };
  const stream = new OpenStream(reader, {
    resolve: (one) => opened.push(one),
    reject: (error) => refused.push(error),
  });
  stream.call = { abort: (error: UpstreamError) => aborted.push(error) } as unknown as UpstreamCall;
  const consume = (): void =>
    stream.consume({
      onBytes: (bytes) => (got.bytes += bytes.toString()),
      onEnd: (failure) => got.ends.push(failure),
    });
  const push = (...pieces: string[]): void => pieces.forEach((piece) => stream.onData(Buffer.from(piece)));
  return { stream, opened, refused, aborted, got, consume, push };
}

describe('before the first event a failure is the attempt’s', () => {
  test('comments alone open nothing', () => {
    const { push, opened, refused } = open();
    push(': hello\n\n', ': still there\n\n');
    assert.deepEqual([opened.length, refused.length], [0, 0]);
  });

  test('an empty stream, an early end and a broken connection refuse it', () => {
    for (const pieces of [[], [': hello\n\n'], ['data: {"cho']]) {
      const { stream, push, opened, refused } = open();
      push(...pieces);
      stream.onEnd();
      assert.deepEqual([opened.length, refused.map(({ errorClass }) => errorClass)], [0, ['unreachable']]);
    }
    const { stream, refused } = open();
    const failure = new UpstreamError('timed-out', 'no answer');
    stream.onFail(failure);
    assert.deepEqual(refused, [failure]);
  });

  test('garbage and an end marker without a beginning are malformed, and the call is ended', () => {
    for (const piece of ['data: <html>\n\n', DONE]) {
      const { push, opened, refused, aborted } = open();
      push(piece, text('late'));
      assert.deepEqual([opened.length, refused.map(({ errorClass }) => errorClass)], [0, ['malformed']]);
      assert.equal(aborted.length, 1);
    }
  });

  test('an error event refuses it, alone or in the same piece as the first event', () => {
    for (const piece of [ERROR, text('a') + ERROR]) {
      const { push, opened, refused, aborted } = open();
      push(piece);
      assert.deepEqual([opened.length, refused.length, aborted.length], [0, 1, 1]);
    }
  });
});

describe('after the first event', () => {
  test('it opens once, and what came before somebody listens is kept', () => {
    const { stream, push, opened, consume, got } = open();
    push(text('a'), text('b'));
    assert.deepEqual(opened, [stream]);
    consume();
    push(text('c'));
    assert.equal(got.bytes, text('a') + text('b') + text('c'));
    assert.deepEqual(got.ends, []);
  });

  test('the end marker ends it well, and later bytes and ends are ignored', () => {
    const { stream, push, consume, got, refused, aborted } = open();
    push(text('a'));
    consume();
    push(FINISH + DONE, text('late'));
    stream.onEnd();
    stream.onFail(new UpstreamError('unreachable', 'reset'));
    assert.equal(got.bytes, text('a') + FINISH);
    assert.deepEqual([got.ends, refused, aborted], [[undefined], [], []]);
  });

  test('a whole stream in one piece reaches a consumer that listens later', () => {
    const { stream, push, opened, consume, got } = open();
    push(text('a') + FINISH + DONE);
    stream.onEnd();
    assert.equal(opened.length, 1);
    consume();
    assert.deepEqual([got.bytes, got.ends], [text('a') + FINISH, [undefined]]);
  });

  test('an answer that ends without a marker is good only when it was finished (S-04)', () => {
    for (const [last, good] of [
      [FINISH, true],
      [text('b'), false],
      [`${FINISH}data: {"x`, false],
    ] as const) {
      const { stream, push, consume, got } = open();
      push(text('a'), last);
      consume();
      stream.onEnd();
      assert.deepEqual(
        got.ends.map((failure) => failure?.errorClass),
        [good ? undefined : 'unreachable'],
      );
    }
  });

  test('an error event, a broken connection and an endless event end it with the failure, once', () => {
    const cases: [string, (one: ReturnType<typeof open>) => void][] = [
      ['overloaded', ({ push }) => push(ERROR, text('late'))],
      ['unreachable', ({ stream }) => stream.onFail(new UpstreamError('unreachable', 'reset'))],
      ['malformed', ({ push }) => push(`data: ${'x'.repeat(33 * 1024 * 1024)}`)],
    ];
    for (const [errorClass, breakIt] of cases) {
      const one = open();
      one.push(text('a'));
      one.consume();
      breakIt(one);
      one.stream.onEnd();
      assert.equal(one.got.bytes, text('a'));
      assert.deepEqual(
        one.got.ends.map((failure) => failure?.errorClass),
        [errorClass],
      );
      assert.equal(one.aborted.length, errorClass === 'unreachable' ? 0 : 1);
    }
  });
});

describe('a last event without the empty line that closes it', () => {
  const speech = (type: string): string => `data: ${JSON.stringify({ type })}`;
  const done = speech('speech.audio.done');

  test('ends the stream well, also when it is the first', () => {
    for (const before of ['', `${speech('speech.audio.delta')}\n\n`]) {
      const { stream, push, opened, refused, consume, got } = open(readSpeechStream());
      push(before + done);
      stream.onEnd();
      assert.deepEqual([opened, refused], [[stream], []]);
      consume();
      assert.deepEqual([got.bytes, got.ends, String(stream.reader.last)], [before, [undefined], `${done}\n\n`]);
    }
  });

  test('that tells an error is the failure it tells', () => {
    const early = open(readSpeechStream());
    early.push(speech('error'));
    early.stream.onEnd();
    assert.deepEqual([early.opened.length, early.refused[0]?.errorClass], [0, 'overloaded']);
    const late = open(readSpeechStream());
    late.push(`${speech('speech.audio.delta')}\n\n${speech('error')}`);
    late.consume();
    late.stream.onEnd();
    assert.equal(late.got.ends[0]?.errorClass, 'overloaded');
  });

  test('is a broken stream when it is cut', () => {
    for (const before of ['', `${speech('speech.audio.delta')}\n\n`]) {
      const { stream, push, refused, consume, got } = open(readSpeechStream());
      push(before + done.slice(0, -1));
      consume();
      stream.onEnd();
      const failures = [...refused, ...got.ends].map((failure) => failure?.errorClass);
      assert.deepEqual(failures, ['unreachable']);
    }
  });
});
