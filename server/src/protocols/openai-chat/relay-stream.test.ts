import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { NO_USAGE } from '../../neutral/usage.ts';
import { assertGrowsLinearly } from '../../testing/growth.ts';
import { StreamError } from '../protocol.ts';
import { eventsOf } from '../stream/sse.ts';
import { ChatStreamReader } from './relay-stream.ts';

const USAGE = { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 };
const READ_USAGE = { ...NO_USAGE, input: 7, output: 5 };
const DONE = 'data: [DONE]\n\n';
const MIB = 1024 * 1024;

const delta = (content: string, more: object = {}): object => ({
  id: 'c1',
  choices: [{ index: 0, delta: { content }, finish_reason: null }],
  ...more,
});
const finish = (more: object = {}): object => ({
  id: 'c1',
  choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
  ...more,
});
const usageOnly = { id: 'c1', choices: [], usage: USAGE };
const say = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;

function read(pieces: (string | Buffer)[], showUsage = false): { reader: ChatStreamReader; shown: Buffer } {
  const reader = new ChatStreamReader(showUsage);
  const shown = pieces.flatMap((piece) => reader.push(Buffer.from(piece)) ?? []);
  return { reader, shown: Buffer.concat(shown) };
}

const dataOf = (bytes: Buffer): string[] => [...eventsOf(bytes)].flatMap(({ data }) => data ?? []);

function cutAt(bytes: Buffer, positions: number[]): Buffer[] {
  const cuts = [...new Set(positions.map((position) => position % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...cuts, bytes.length].map((end, index) => bytes.subarray(cuts[index - 1] ?? 0, end));
}

const singleBytes = (bytes: Buffer): Buffer[] => [...bytes].map((byte) => Buffer.from([byte]));

/** Text that looks like what the reader searches for. */
const tricky = fc.constantFrom(
  '[DONE]',
  'data: [DONE]\n\n',
  '"usage":{"prompt_tokens":1}',
  '{"error":{"message":"no"}}',
  '"error"',
  '"finish_reason":"stop"',
  '\r\n',
  '😀é你',
);
const content = fc.oneof(tricky, fc.string({ maxLength: 12 }), fc.string({ unit: 'binary', maxLength: 6 }));
const plan = fc.record({
  contents: fc.array(content, { minLength: 1, maxLength: 6 }),
  nullUsage: fc.boolean(),
  usageAt: fc.constantFrom('own chunk', 'finish', 'first', 'nowhere'),
  done: fc.boolean(),
  ends: fc.array(fc.constantFrom('\n', '\r\n', '\r'), { minLength: 1, maxLength: 5 }),
  extras: fc.array(fc.constantFrom('', '', ': ping', 'id: 9', 'event: message'), { minLength: 1, maxLength: 5 }),
  indent: fc.boolean(),
});
type Plan = typeof plan extends fc.Arbitrary<infer Value> ? Value : never;

function chunksOf({ contents, nullUsage, usageAt }: Plan): object[] {
  const usage = nullUsage ? { usage: null } : {};
  const chunks = contents.map((text, index) =>
    delta(text, index === 0 && usageAt === 'first' ? { usage: USAGE } : usage),
  );
  chunks.push(finish(usageAt === 'finish' ? { usage: USAGE } : usage));
  return usageAt === 'own chunk' ? [...chunks, usageOnly] : chunks;
}

function write(how: Plan, chunks: object[]): Buffer {
  const texts = chunks.map((chunk) => JSON.stringify(chunk, null, how.indent ? 1 : 0));
  const events = (how.done ? [...texts, '[DONE]'] : texts).map((text, index) => {
    const end = how.ends[index % how.ends.length] ?? '\n';
    const extra = how.extras[index % how.extras.length] ?? '';
    const lines = [...(extra === '' ? [] : [extra]), ...text.split('\n').map((part) => `data: ${part}`), ''];
    return lines.map((line) => line + end).join('');
  });
  return Buffer.from(`${events.join('')}: end\n\n`);
}

describe('any cut of the bytes (S-01)', () => {
  test('the client gets the same events, and what is learned on the way is the same', () => {
    fc.assert(
      fc.property(plan, fc.array(fc.nat(), { maxLength: 12 }), fc.boolean(), (how, positions, showUsage) => {
        const chunks = chunksOf(how);
        const bytes = write(how, chunks);
        const expected = chunks.filter((chunk) => showUsage || chunk !== usageOnly);
        for (const pieces of [[bytes], cutAt(bytes, positions), singleBytes(bytes)]) {
          const { reader, shown } = read(pieces, showUsage);
          assert.deepEqual(
            dataOf(shown).map((data): unknown => JSON.parse(data)),
            expected,
          );
          assert.deepEqual(reader.usage, how.usageAt === 'nowhere' ? undefined : READ_USAGE);
          assert.equal(reader.ended, how.done);
          assert.equal(reader.isComplete(), true);
          assert.equal(reader.complaint, undefined);
          assert.equal(reader.outputPieces, how.contents.filter((text) => text !== '').length);
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('an error event ends what is shown, and is found wherever it stands', () => {
    fc.assert(
      fc.property(plan, fc.array(fc.nat(), { maxLength: 12 }), (how, positions) => {
        const before = how.contents.map((text) => delta(text));
        const bytes = write({ ...how, done: false }, [...before, { error: { message: 'no', code: 'x' } }]);
        for (const pieces of [[bytes], cutAt(bytes, positions), singleBytes(bytes)]) {
          const { reader, shown } = read(pieces);
          assert.deepEqual(
            dataOf(shown).map((data): unknown => JSON.parse(data)),
            before,
          );
          assert.deepEqual(reader.complaint, { message: 'no', code: 'x', param: undefined });
          assert.equal(reader.isComplete(), false);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('a stream with CR line ends is complete when its end marker has come, though no byte follows', () => {
    const bytes = Buffer.from((say(delta('a')) + say(finish()) + DONE).replaceAll('\n', '\r'));
    const { reader, shown } = read([bytes]);
    assert.equal(dataOf(shown).length, 2);
    assert.equal(reader.ended, true);
  });
});

describe('the end', () => {
  test('the end marker is held back, and nothing after it is shown', () => {
    const { reader, shown } = read([say(delta('a')) + DONE + say(delta('late')), say(delta('later'))]);
    assert.equal(shown.toString(), say(delta('a')));
    assert.equal(reader.ended, true);
  });

  test('without the marker a stream is complete only when it gave a finish reason and stopped between events', () => {
    assert.equal(read([say(delta('a')), say(finish())]).reader.isComplete(), true);
    assert.equal(read([say(delta('a')), say(finish()), say(usageOnly)]).reader.isComplete(), true);
    assert.equal(read([say(delta('a'))]).reader.isComplete(), false);
    assert.equal(read([say(delta('"finish_reason":"stop"'))]).reader.isComplete(), false);
    assert.equal(read([say(delta('a')), say(finish()), 'data: {"cho']).reader.isComplete(), false);
    assert.equal(read([]).reader.isComplete(), false);
  });

  test('the last event may lack its empty line, as long as it is whole (promise M-05)', () => {
    for (const end of [
      'data: [DONE]',
      'data: [DONE]\n',
      'data: [DONE]\r\n',
      ': bye',
      'data: {"id":"c1","choices":[]}',
    ]) {
      const { reader } = read([say(delta('a')), say(finish()), end]);
      assert.equal(reader.isComplete(), true, end);
    }
    const { reader, shown } = read([say(delta('a')), say(finish({ usage: USAGE })).trimEnd()]);
    assert.equal(reader.isComplete(), true);
    assert.equal(String(Buffer.concat([shown, reader.last])), say(delta('a')) + say(finish({ usage: USAGE })) + DONE);
    assert.deepEqual(reader.usage, READ_USAGE);
    for (const end of ['data: [DON', 'data: {"id":', 'event: mess', 'data: {"error":{"message":"late"}}'])
      assert.equal(read([say(delta('a')), say(finish()), end]).reader.isComplete(), false, end);
  });

  test('an empty line too many at the end does not make a complete stream incomplete, whatever the cut', () => {
    assert.equal(read([`${say(finish())}\n`]).reader.isComplete(), true);
    assert.equal(read([say(finish()), '\n']).reader.isComplete(), true);
  });

  test('comments after the finish reason do not make a complete stream incomplete', () => {
    assert.equal(read([say(finish()), ...Array<string>(5).fill(': ping\n\n')]).reader.isComplete(), true);
  });
});

describe('the beginning', () => {
  test('comments before the first event start nothing and are not shown', () => {
    const { reader, shown } = read([': hello\n\n', ': again\n\n']);
    assert.equal(reader.started, false);
    assert.equal(shown.length, 0);
    assert.equal(read([': hello\n\n', say(delta('a'))]).reader.started, true);
  });

  test('a first event that is not of the protocol is refused', () => {
    for (const text of ['data: <html>\n\n', 'data: \n\n', 'data: 5\n\n', 'data: null\n\n', 'data: {"a"\n\n', DONE]) {
      assert.throws(() => read([text]), StreamError, text);
    }
  });

  test('an error as the first event is a complaint, and the stream has not started', () => {
    for (const error of [{ message: 'busy', type: 'overloaded' }, 'busy']) {
      const { reader, shown } = read([say({ error })]);
      assert.equal(reader.started, false);
      assert.equal(reader.complaint?.message, 'busy');
      assert.equal(shown.length, 0);
    }
  });

  test('an error field that is null says nothing', () => {
    const { reader, shown } = read([say(delta('a', { error: null })), say(delta('b', { error: null }))]);
    assert.equal(reader.complaint, undefined);
    assert.equal(dataOf(shown).length, 2);
  });
});

describe('usage', () => {
  test('the usage chunk is shown only to a client that asked for it (contract 5)', () => {
    const pieces = [say(delta('a')) + say(finish()) + say(usageOnly) + DONE];
    assert.equal(read(pieces, false).shown.toString(), say(delta('a')) + say(finish()));
    assert.equal(read(pieces, true).shown.toString(), say(delta('a')) + say(finish()) + say(usageOnly));
  });

  test('the last believable usage counts', () => {
    const growing = [1, 3, 5].map((count) =>
      say(delta('a', { usage: { prompt_tokens: 7, completion_tokens: count } })),
    );
    assert.deepEqual(read(growing).reader.usage, READ_USAGE);
    assert.deepEqual(read([...growing, say(delta('b', { usage: { prompt_tokens: -1 } }))]).reader.usage, READ_USAGE);
  });

  test('pieces of output are counted without the first event, which carries the role', () => {
    assert.equal(read([]).reader.outputPieces, 0);
    assert.equal(read([say(delta(''))]).reader.outputPieces, 0);
    assert.equal(read([say(delta('')), say(delta('a')) + say(delta('data: b')), ': x\n\n']).reader.outputPieces, 2);
  });

  test('what stands around the text is no output: log probabilities, usage in each chunk but the first (promise M-07)', () => {
    const logprobs = {
      content: [{ token: 'a', bytes: [97], top_logprobs: [{ token: 'content', x: 'y'.repeat(400) }] }],
    };
    const usage = { prompt_tokens: 7, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 0 } };
    const chunk = {
      choices: [{ index: 0, delta: { content: ' word' }, logprobs }],
      obfuscation: 'x'.repeat(90),
      usage,
    };
    for (const one of [chunk, { ...chunk, usage: null }]) {
      const pieces = Array.from({ length: 100 }, () => say(one));
      assert.equal(read([say(delta('')), ...pieces]).reader.outputPieces, 100);
      assert.equal(read([say(delta('')), pieces.join('')]).reader.outputPieces, 100);
    }
  });

  test('reasoning that is shown under several names is counted once, and arguments are output', () => {
    const thought = 'think'.repeat(80);
    const details = [{ type: 'reasoning.text', text: thought }];
    const both = {
      choices: [{ delta: { reasoning: thought, reasoning_content: thought, reasoning_details: details } }],
    };
    assert.equal(read([say(delta('')), say(both)]).reader.outputPieces, 100);
    const tool_calls = [{ index: 0, id: 'c'.repeat(400), function: { arguments: 'x'.repeat(400) } }];
    assert.equal(read([say(delta('')), say({ choices: [{ delta: { tool_calls } }] })]).reader.outputPieces, 100);
    const custom = [{ index: 0, custom: { input: 'x'.repeat(400) } }];
    assert.equal(
      read([say(delta('')), say({ choices: [{ delta: { tool_calls: custom } }] })]).reader.outputPieces,
      100,
      'and so are inputs of custom tools (promise M-07)',
    );
  });

  test('an event of several data lines is one piece of output', () => {
    const lines = JSON.stringify(delta('a'), null, 1).split('\n');
    const event = `${lines.map((line) => `data: ${line}\n`).join('')}\n`;
    assert.equal(read([say(delta('')), event]).reader.outputPieces, 1);
  });
});

test('an event of 16 MiB in pieces of 64 KiB passes unchanged, in time that grows with its size only (S-09)', () => {
  const streamOf = (size: number): Buffer =>
    Buffer.from(say(delta('')) + say(delta('x'.repeat(size))) + say(finish()) + DONE);
  const piecesOf = (bytes: Buffer): Buffer[] =>
    Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, index) =>
      bytes.subarray(index * 65_536, (index + 1) * 65_536),
    );
  const bytes = streamOf(16 * MIB);
  const { reader, shown } = read(piecesOf(bytes));
  assert.ok(shown.equals(bytes.subarray(0, bytes.length - DONE.length)));
  assert.equal(reader.ended, true);
  assertGrowsLinearly(MIB, (size) => {
    const pieces = piecesOf(streamOf(size));
    return () => read(pieces);
  });
});

test('an event without end is refused', () => {
  const reader = new ChatStreamReader(false);
  const piece = Buffer.alloc(1024 * 1024, 'x');
  assert.throws(() => {
    for (let index = 0; index < 64; index++) reader.push(piece);
  }, RangeError);
});
